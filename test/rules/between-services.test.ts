import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { APP_SIGNATURE_HEADER, authorize, createNonce, NONCE_HEADER, sign } from '#domain/signature.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import type { Child } from '#scripts/start/child.ts';
import { freePort } from '#scripts/start/ports.ts';
import { startService, waitUntilServing } from '#scripts/start/services.ts';
import { externalTenantOf } from '../support/services/backend.ts';
import { eventually } from '../support/time/eventually.ts';
import type { Stack } from '../support/services/stack.ts';
import { installTenant } from '../support/services/tenant.ts';
import { useStack } from '../support/fixtures/stack.ts';

const secret = 'secret-of-the-twice-delivered-tenant-01';
const tenantIntegrationId = 'ti-twice';

/** Calls a BFF as the platform does. */
async function signed(stack: Stack, address: string, path: string, body: object) {
  const raw = JSON.stringify(body);
  const parts = { tenantIntegrationId, nonce: createNonce(), body: raw };
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: authorize(secret, parts),
      [NONCE_HEADER]: parts.nonce,
      [APP_SIGNATURE_HEADER]: sign(stack.settings.PLATFORM_APP_SECRET[0], parts),
    },
    body: raw,
  });
  return { status: response.status, body: await response.text() };
}

/** A second process of the BFF next to the stack's, with the same database, backend and Temporal. */
async function secondBff(stack: Stack): Promise<{ address: string; child: Child }> {
  const port = await freePort();
  const { settings, temporal } = stack;
  const same = ['DATABASE_URL', 'DATABASE_URL_BFF', 'DATABASE_URL_BACKEND', 'DATABASE_URL_ORDERS'] as const;
  const ports = ['SANDBOX_PORT', 'BACKEND_PORT', 'ORDERS_PORT'] as const;
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'test',
    DATA_DIR: stack.dataFolder,
    ...Object.fromEntries([...same, ...ports].map((name) => [name, String(settings[name])])),
    BFF_PORT: String(port),
    PUBLIC_BFF_URL: stack.addresses.bff,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  };
  const logFile = join(stack.dataFolder, 'logs', 'second-bff.log');
  const child = await startService('bff', { environment, logFile, background: true });
  const address = `http://127.0.0.1:${port}`;
  await waitUntilServing(child, 'bff', address);
  return { address, child };
}

/** Listens in place of the BFF, records callers, and responds 503 to everyone. */
async function trapAt(address: string) {
  const calls: { method: string; path: string; authorization: string }[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    calls.push({ method: method ?? '', path: url ?? '', authorization: headers.authorization ?? '' });
  const server = createServer((request, response) => {
    note(request);
    response.writeHead(503, { 'Retry-After': '1' }).end();
  });
  server.listen(Number(new URL(address).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('rules between the services', function () {
  this.timeout(180_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'] });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-ERR5: two BFF processes get one event: one row, and 200 from both', async () => {
    const other = await secondBff(stack);
    try {
      const install = await signed(stack, stack.addresses.bff, '/install', {
        appId: stack.settings.PLATFORM_APP_ID,
        platformTenantId: 'twice',
        tenantIntegrationId,
        tenantIntegrationSecret: secret,
        tenant: { name: 'Twice', type: 'shop' },
        serviceNumbers: [{ serviceNumberId: 'sn-1', name: 'Main' }],
      });
      expect(install.status, install.body).to.equal(200);
      const events = Array.from({ length: 20 }, (_, n) => ({
        eventId: randomUUID(),
        eventType: 'contact.followed',
        occurredAt: new Date().toISOString(),
        scope: { serviceNumberId: 'sn-1' },
        data: { contactId: `c-${n}`, serviceNumberId: 'sn-1' },
      }));
      const responses = await Promise.all(
        events.flatMap((event) =>
          [stack.addresses.bff, other.address].map((address) => signed(stack, address, '/webhook', event)),
        ),
      );
      for (const { status, body } of responses) expect([status, body]).to.deep.equal([200, '{"received":true}']);
      const db = stack.database.connect('outreach');
      const rows = await eventually('every event is handled', async () => {
        const found: { eventId: string; status: string }[] = await db('event_inbox').where({ tenantId: 'twice' });
        return found.every(({ status }) => status === 'processed') && found;
      });
      expect(rows.map((row) => row.eventId).toSorted()).to.deep.equal(events.map(({ eventId }) => eventId).toSorted());
      expect(await db('contact_event').where({ tenant_id: 'twice' })).to.have.length(20);
    } finally {
      await other.child.stop();
    }
  });

  it('S0-R4: the backend sends without the BFF and never calls it; S0-BT5: what it sends is of type contacts', async () => {
    const tenant = await installTenant(stack, { tenantId: 'alone', serviceNumberId: 'sn-alone', contacts: 20 });
    await stack.kill('bff');
    const trap = await trapAt(stack.addresses.bff);
    try {
      const internal = `${stack.addresses.backend}/internal/v1`;
      const service = jsonClient(internal, stack.settings.INTERNAL_API_SECRET[0]);
      const externalTenantId = await externalTenantOf(stack.database.connect('outreach'), 'alone');
      const person = { platformTenantId: 'alone', externalTenantId, userId: 'ada', name: 'Ada', role: 'tenant_admin' };
      const { token } = await service.post<{ token: string }>('/tokens', person);
      const api = jsonClient(internal, token);
      const { id } = await api.post<Campaign>('/campaigns', {
        name: 'Without the BFF',
        serviceNumberId: tenant.serviceNumberId,
        messages: [
          {
            type: 'buttons',
            title: 'Hello',
            text: 'From the backend alone',
            actions: [{ type: 'Postback', label: 'Talk', data: { event: 'InboundReason' } }],
          },
        ],
        audience: { type: 'contacts', contactIds: tenant.contactIds },
        schedule: { type: 'immediate' },
      });
      await api.post(`/campaigns/${id}:send`);
      await eventually(
        'the campaign is completed',
        async () => (await api.get<Campaign>(`/campaigns/${id}`)).status === 'completed',
      );
      const sent = await tenant.sandbox.get<{ items: { body: { audience: { type: string } } }[] }>(
        '/sandbox/calls?route=A1&bodies=1',
      );
      expect(sent.items.map(({ body }) => body.audience.type)).to.deep.equal(['contacts']);
      expect((await tenant.sandbox.get<{ items: unknown[] }>('/sandbox/calls?route=F1')).items).to.have.length(1);
      // The sandbox's platform delivers its events there; nobody else may call.
      for (const { method, path, authorization } of trap.calls) {
        expect([method, path]).to.deep.equal(['POST', '/webhook']);
        expect(authorization).to.match(/^PLATFORM /);
      }
    } finally {
      await trap.close();
    }
  });
});
