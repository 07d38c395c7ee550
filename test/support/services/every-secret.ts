import { randomBytes } from 'node:crypto';
import type { BffDatabase } from '#db/bff/database.ts';
import { beginRotation } from '#commands/bff/begin-rotation.ts';
import { createSession } from '#db/bff/sessions.ts';
import type { Schema } from '#db/connection.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { beginCall } from '#db/outreach/idempotency/calls.ts';
import { keepAnswer } from '#commands/outreach/idempotency/keep-answer.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { ordersAs } from './shop.ts';
import type { Stack } from './stack.ts';
import { signerOf, type TestTenant } from './tenant.ts';

/** As a session of the browser is stored. */
export function storeSession(connection: Database, encryption: Encryption, tenantId: string): Promise<void> {
  const database: BffDatabase = { connection, encryption };
  const expiresAt = new Date(Date.now() + 3_600_000);
  return createSession(database, {
    tokenHash: randomBytes(32),
    kind: 'cookie',
    platformTenantId: tenantId,
    userId: 'ada',
    name: 'Ada',
    roles: [],
    expiresAt,
    platformToken: { token: 'a platform token', expiresAt, refreshToken: 'a refresh token' },
  });
}

/**
 * Has the tenant store something in every column that holds sealed texts but those of sessions: a secret and a replaced
 * one on both sides, a rotation under way, an erasure that is not finished, a kept answer, a merchant's webhook, and a webhook of campaigns
 * with a replaced secret.
 */
export async function storeEverySecret(
  stack: Stack,
  owner: Record<Schema, Database>,
  encryption: Encryption,
  tenant: TestTenant,
): Promise<void> {
  const { tenantId, serviceNumberId } = tenant;
  const { tenantIntegrationId } = await signerOf(tenant);
  const sandbox = jsonClient(stack.addresses.sandbox);
  const newSecret = randomBytes(24).toString('hex');
  await sandbox.post(`/admin/tenant-integrations/${tenantIntegrationId}:rotate-secret`, { newSecret });
  await beginRotation(
    { connection: owner.bff, encryption },
    { tenantIntegrationId, newSecret: randomBytes(24).toString('hex'), graceSeconds: 1, expiresInMs: 3_600_000 },
  );
  const author = { tenantId, userId: 'ada', requestId: null };
  await beginErasure(owner.outreach, encryption, author, { contactId: 'c-1', reason: 'asked', now: new Date() });
  const call = { tenantId, caller: 'ada', key: 'k', requestHash: 'h' };
  const known = await beginCall(owner.outreach, encryption, call, new Date());
  if (known.kind !== 'begun') throw new Error('the key was used before');
  const answer = { status: 201, headers: {}, body: '{"key": "secret"}' };
  await keepAnswer(owner.outreach, encryption, { tenantId, callId: known.callId }, answer);
  await tenant.api.put('/webhook', { url: 'http://127.0.0.1:9/hook', eventTypes: ['campaign.completed'] });
  await tenant.api.post('/webhook:rotate-secret');
  const person = { sub: 'ada', name: 'Ada', tenantId, serviceNumberId, roles: ['order_admin'] };
  const desk = await ordersAs(stack, person);
  await desk.put(`/admin/tenants/${tenantId}`, { name: 'Shop', businessType: 0 });
  await desk.put(`/admin/tenants/${tenantId}/webhook`, { url: 'http://127.0.0.1:9/hook' });
}
