import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type ContactOutcome, contactOutcomes } from '#domain/contacts/outcomes.ts';
import { sandboxToken } from '#test/support/services/sandbox-token.ts';
import type { Stack } from '#test/support/services/stack.ts';
import type { TestTenant } from '#test/support/services/tenant.ts';
import { elapsed } from '../elapsed.ts';
import { times } from './times.ts';

/** Reads a response without keeping it. */
async function bytesOf(response: Response): Promise<number> {
  if (!response.ok || !response.body) throw new Error(`The export was answered with ${response.status}`);
  let bytes = 0;
  const body = Readable.fromWeb(response.body).on('data', (chunk: Uint8Array) => (bytes += chunk.length));
  await once(body, 'end');
  return bytes;
}

/** The first page of each outcome of a campaign that reached everybody, and all of its contacts as CSV. */
export async function contactResults(stack: Stack, { api, sandbox, tenantId }: TestTenant, campaignId: string) {
  const path = `/campaigns/${campaignId}/contacts`;
  const firstPages: Partial<Record<ContactOutcome | 'all', Awaited<ReturnType<typeof times>>>> = {
    all: await times(() => api.get(`${path}?limit=50`)),
  };
  for (const outcome of contactOutcomes)
    firstPages[outcome] = await times(() => api.get(`${path}?limit=50&outcome=${outcome}`));
  const token = await sandboxToken(sandbox, { sub: 'ada', tenantId, roles: ['tenant_admin'] });
  const [bytes, seconds] = await elapsed(async () =>
    bytesOf(await fetch(`${stack.addresses.bff}/api/v1${path}.csv`, { headers: { Authorization: `Bearer ${token}` } })),
  );
  return { firstPages, csv: { bytes, seconds } };
}
