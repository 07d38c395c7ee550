import { join } from 'node:path';
import { expect } from 'chai';
import type { OpenApiDocument } from '#api/http/openapi.ts';
import { authorize, createNonce, NONCE_HEADER } from '#domain/signature.ts';
import { describedResponses, describedOperations, realResponse } from '#test/support/http/described.ts';
import { expectValidOpenApi } from '#test/support/http/valid-openapi.ts';
import { composeRoutes } from '../routes.ts';
import { createState } from '../state.ts';
import { broadcast, eventually, installTenant, startRunning } from '../testing/running.ts';
import type { Installed, Running } from '../testing/running.ts';
import type { Route } from './route.ts';

const slots = [{ slot: 'main', endpointUrl: 'https://example.com/embed/main' }];
const labels = { contactIds: ['c000001'], labels: ['gold'] };
const scheduled = { schedule: { type: 'scheduled', at: '2099-01-01T00:00:00Z' } };
const source = {
  name: 'Spring',
  reason: { type: 'activity', id: 'k1', data: {} },
  channels: [{ channel: 'default', serviceNumberId: 'sn1' }],
  webhook: { url: 'http://127.0.0.1:1/webhook', events: ['session.created'] },
};
const charge = {
  shopId: 'shop',
  orderNo: 'o-1',
  amount: 10,
  currency: 'TWD',
  callbackURL: 'http://127.0.0.1:1/callback',
  expiresAt: '2099-01-01T00:00:00Z',
};
const person = { sub: 'mia', name: 'Mia', tenantId: 't1', roles: ['viewer'] };

/** A valid body for each operation that needs one, by the operation's id or path. */
const goodBodies = (applicationUrl: string): Record<string, object> => ({
  A1: broadcast(['c000001'], scheduled),
  D1: labels,
  D2: labels,
  F1: source,
  F2: { name: 'Summer' },
  F3: { status: 'inactive' },
  embed: { slots },
  'charges.create': charge,
  '/admin/integrations/apps': { appId: 'outreach', installBaseUrl: applicationUrl },
  '/sandbox/tenants': { platformTenantId: 't3', name: 'Third' },
  '/sandbox/contacts': { tenant: 't1', serviceNumberId: 'sn1', count: 1, prefix: 'more' },
  '/sandbox/contacts:announce': { tenant: 't1', serviceNumberId: 'sn1' },
  '/sandbox/contacts:act': { serviceNumberId: 'sn1', action: 'follow', contactIds: ['c000001'], emit: false },
  '/sandbox/tags': { serviceNumberId: 'sn1', tagId: 'gold', name: 'Gold' },
  '/sandbox/faults': { faults: [] },
  '/sandbox/paces': { paces: [] },
  '/sandbox/webhooks': { tenant: 't1', eventType: 'notice.other', data: {} },
  '/sandbox/tokens': person,
  '/sandbox/people': person,
  '/sandbox/merchant/{tenantId}': { down: false },
  '/sandbox/redirect-uris': { redirectUri: 'http://127.0.0.1:1/back' },
});

/** A valid query for each operation that needs one, by the operation's id or path. */
const goodQueries: Record<string, string> = {
  'charges.list': '?shopId=shop&from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z',
  'refunds.list': '?shopId=shop&from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z',
  '/sandbox/contacts': '?serviceNumberId=sn1',
};

describe('sandbox: OpenAPI', () => {
  let running: Running;
  let installed: Installed;
  let routes: Route[];
  let document: OpenApiDocument;
  let operations: ReturnType<typeof describedOperations>;
  /** Values for path parameters; a waiting task, a notice that has been delivered. */
  let ids: Record<string, string>;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
    const { settings } = running;
    routes = composeRoutes(createState(settings, join(settings.DATA_DIR, 'table')), settings, async () => '');
    document = (await (await fetch(`${running.url}/openapi.json`)).json()) as OpenApiDocument;
    operations = describedOperations(document);
    await running.call('PUT', '/sandbox/clock', {
      startDelayMs: 0,
      sendDurationMs: 0,
      governanceShare: 0,
      failedShare: 0,
    });
    const sent = await created('A1', broadcast(['c000001']));
    const click = await eventually(async () => {
      const { status, body } = await running.call('POST', '/sandbox/clicks', {
        taskId: sent['taskId'],
        contactId: 'c000001',
      });
      return status === 201 && body.items[0];
    });
    await running.call('POST', '/sandbox/tenants', { platformTenantId: 't2', name: 'Second' });
    const second = await running.call('POST', '/admin/tenants/t2/tenant-integrations', {});
    ids = {
      snId: 'sn1',
      contactId: 'c000001',
      platformTenantId: 't2',
      tenantId: 't2',
      tenantIntegrationId: second.body.tenantIntegrationId,
      noticeId: String(click['noticeId']),
      actionIndex: '0',
      sessionId: 'none',
      name: 'sandbox.css',
    };
  });
  after(() => running.end());

  const found = (id: string) => operations.find(([, , { operationId }]) => operationId === id) ?? expect.fail(id);
  const filled = (path: string, parts = ids) => path.replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? part);

  async function ask(method: string, path: string, { body, known = true }: { body?: unknown; known?: boolean } = {}) {
    const text = method === 'GET' ? '' : JSON.stringify(body ?? {});
    const nonce = createNonce();
    const { tenantIntegrationId, secret } = installed;
    const key = `Bearer ${running.settings.PAYMENT_GATEWAY_KEY}`;
    const signature = authorize(secret, { tenantIntegrationId, nonce, body: text });
    const authorization = path.startsWith('/payment-gateway') ? key : signature;
    return realResponse(
      await fetch(`${running.url}${path}`, {
        method,
        redirect: 'manual',
        headers: { [NONCE_HEADER]: nonce, 'idempotency-key': nonce, ...(known ? { authorization } : {}) },
        ...(method === 'GET' ? {} : { body: text }),
      }),
    );
  }

  /** The properties that an operation creates. */
  async function created(id: string, body: unknown): Promise<Record<string, string>> {
    const [method, path] = found(id);
    const { text } = await ask(method, filled(path, { snId: 'sn1' }), { body });
    return JSON.parse(text) as Record<string, string>;
  }

  it('is valid OpenAPI 3.1', () => expectValidOpenApi(document));

  it('lists every JSON route of the table, and the routes of every service', () => {
    const table = routes.filter(({ description }) => description !== null);
    const listed = table.map(({ method, path }) => `${method} ${path}`);
    const service = ['/healthz', '/livez', '/readyz', '/openapi.json'].map((path) => `GET ${path}`);
    expect(operations.map(([method, path]) => `${method} ${path}`)).to.have.members([...listed, ...service]);
  });

  it('leaves out only routes without a JSON response', async () => {
    const { chargeId = '' } = await created('charges.create', charge);
    await ask('PUT', filled('/files/{name}', ids), { body: {} });
    const left = routes.filter(({ description }) => description === null);
    expect(left).to.not.deep.equal([]);
    for (const { method, path } of left) {
      const parts = { ...ids, chargeId, actionIndex: '1' };
      const { status, headers } = await ask(method, filled(path, parts));
      expect(status, path).to.be.below(400);
      expect(headers.get('content-type') ?? '', path).to.not.include('json');
    }
  });

  it('describes the actual responses, to authorized and unauthorized callers', async () => {
    const expectDescribed = describedResponses(document);
    const bodies = goodBodies(running.application.url);
    for (const described of operations) {
      const [method, path, { operationId = '' }] = described;
      const { taskId = '' } = await created('A1', broadcast(['c000001'], scheduled));
      const { sourceId = '' } = await created('F1', source);
      const { chargeId = '' } = await created('charges.create', charge);
      if (/[/:](refund|dispute|close-dispute)/.test(path)) await ask('POST', `/sandbox/charges/${chargeId}:pay`);
      if (path.endsWith(':refund-callback')) await ask('POST', `/sandbox/charges/${chargeId}:refund`);
      if (/:(close-dispute|dispute-callback)$/.test(path)) await ask('POST', `/sandbox/charges/${chargeId}:dispute`);
      const parts = { ...ids, taskId, sourceId, chargeId };
      const query = goodQueries[operationId] ?? goodQueries[path] ?? '';
      const body = bodies[operationId] ?? bodies[path];
      const response = await ask(method, `${filled(path, parts)}${query}`, { body });
      expectDescribed(described, response);
      const mayReject = /:close|:install|clicks$/.test(path);
      expect(response.status, `${method} ${path}: ${response.text}`).to.be.below(mayReject ? 500 : 300);
      expectDescribed(described, await ask(method, filled(path, parts), { body: [], known: false }));
    }
  });
});
