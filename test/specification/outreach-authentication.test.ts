import { createHmac, randomUUID } from 'node:crypto';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Campaign } from '#domain/api/campaign.ts';
import { frontendOperations } from '#domain/api/index.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { signedCall, type SignedCallOptions, type TestIntegration } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { draftCampaign, sendCampaign } from '../support/outreach/campaigns.ts';
import { externalTenantOf } from '../support/services/backend.ts';
import { eventually } from '../support/time/eventually.ts';
import { apiAs, installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import type { WireCall } from '../support/http/wire.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

const asks = {
  type: 'buttons',
  title: 'Ask',
  text: 'us',
  actions: [{ type: 'Postback', label: 'Ask', data: { event: 'InboundReason' } }],
};
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('S0: components and authentication', () => {
  const stack = useWiredStack();
  let outreach: Knex;
  const tenants: TestTenant[] = [];
  const signers: TestIntegration[] = [];
  const tenant = (index: 0 | 1) => tenants[index] as TestTenant;
  const signer = (index: 0 | 1) => signers[index] as TestIntegration;

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    for (const name of ['first', 'second']) {
      const installed = await installTenant(stack, { tenantId: name, serviceNumberId: `sn-${name}`, contacts: 5 });
      tenants.push(installed);
      signers.push(await signerOf(installed));
    }
    await sendCampaign(tenant(0), { messages: [asks] });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const event = (index: 0 | 1, eventId = randomUUID()) => ({
    eventId,
    eventType: 'contact.updated',
    occurredAt: new Date().toISOString(),
    scope: { serviceNumberId: tenant(index).serviceNumberId },
    data: { contactId: 'somebody', serviceNumberId: tenant(index).serviceNumberId },
  });
  const webhook = (index: 0 | 1, body: object, options: SignedCallOptions = {}) =>
    signedCall({ url: stack.addresses.bff }, '/webhook', signer(index), body, options);
  const stored = (eventId: string): Promise<Record<string, unknown>[]> =>
    outreach('event_inbox')
      .where({ event_id: eventId })
      .then((rows) => rows as Record<string, unknown>[]);

  it('S0-AU1: every call to the gateway carries Authorization: PLATFORM <tenantIntegrationId>:<signature>', () => {
    const known = new Set(signers.map(({ tenantIntegrationId }) => tenantIntegrationId));
    expect(stack.toPlatform.calls.length).to.be.greaterThan(4);
    // Calls still in flight have no response yet.
    for (const { headers, path, status } of stack.toPlatform.calls.filter((one) => one.respondedAt !== null)) {
      const [, id] = /^PLATFORM ([A-Za-z0-9_-]+):[A-Za-z0-9+/]{43}=$/.exec(headers.authorization ?? '') ?? [];
      expect(known.has(id ?? ''), path).to.equal(true);
      expect(status, path).to.be.within(200, 299);
    }
  });

  it('S0-AU2: the signature is Base64(HMAC-SHA256(secret, id + nonce + body)), with a fresh nonce for each call', async () => {
    const { calls } = stack.toPlatform;
    const nonces = calls.map(({ headers }) => String(headers['x-platform-nonce']));
    expect(new Set(nonces).size).to.equal(calls.length);
    for (const [index, { headers, body }] of calls.entries()) {
      const [, id = '', signature] = /^PLATFORM (.+):(.+)$/.exec(headers.authorization ?? '') ?? [];
      const secret = signers.find(({ tenantIntegrationId }) => tenantIntegrationId === id)?.secret ?? '';
      const raw = `${id}${nonces[index]}${body}`;
      expect(signature).to.equal(createHmac('sha256', secret).update(raw).digest('base64'));
    }
    // The platform accepts neither the nonce twice nor another body.
    const a1 = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/broadcasts')) as WireCall;
    const again = async (body: string) => {
      const headers = {
        authorization: a1.headers.authorization ?? '',
        'x-platform-nonce': String(a1.headers['x-platform-nonce']),
      };
      return (await call('POST', `${stack.addresses.sandbox}${a1.path}`, { headers, body })).status;
    };
    expect([await again(a1.body), await again(`${a1.body} `)]).to.deep.equal([409, 401]);
  });

  it('S0-AU4: webhooks are accepted only with a signature and an unused nonce, for the tenant of their tenantIntegrationId', async () => {
    const good = event(1);
    const nonce = '0123456789abcdef0123456789abcdef';
    expect((await webhook(1, good, { nonce })).status).to.equal(200);
    const [row] = await stored(good.eventId);
    expect(row).to.include({ tenantIntegrationId: signer(1).tenantIntegrationId, tenantId: 'second' });
    const rejected = event(0);
    expect((await webhook(0, rejected, { secret: signer(1).secret })).status).to.equal(401);
    expect((await webhook(1, { ...rejected, scope: {} }, { nonce })).status).to.equal(409);
    const unknown = { ...signer(0), tenantIntegrationId: 'ti-nobody' };
    const response = await signedCall({ url: stack.addresses.bff }, '/webhook', unknown, rejected);
    expect(response.status).to.equal(401);
    expect(await stored(rejected.eventId)).to.deep.equal([]);
  });

  it('S0-C1: the backend takes an event once, keeps tenants apart, and has its own database and a disabled Tool API', async () => {
    const twice = event(0);
    const responses = [await webhook(0, twice), await webhook(0, twice)];
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(await stored(twice.eventId)).to.have.length(1);
    const { id } = await draftCampaign(tenant(0), {});
    const token = await sandboxToken(tenant(1).sandbox, { sub: 'eve', tenantId: 'second', roles: ['tenant_admin'] });
    const foreign = await call('GET', `${stack.addresses.bff}/api/v1/campaigns/${id}`, { token });
    expect([foreign.status, foreign.body['code']]).to.deep.equal([404, 'not_found']);
    const own = stack.database.connect('outreach');
    const read = await own.raw('select 1 from bff.session').catch((error: { code?: string }) => error.code);
    expect(read).to.equal('42501');
    const tools = await call('POST', `${stack.addresses.backend}/tools/v1/query_metrics`, { body: {} });
    expect([tools.status, tools.body['code']]).to.deep.equal([404, 'phase_2']);
  });

  it('S0-C2: the BFF verifies people and webhooks, and passes eventId and requests on to the backend', async () => {
    const one = event(0);
    await webhook(0, one);
    expect((await stored(one.eventId)).map(({ eventType: type }) => type)).to.deep.equal(['contact.updated']);
    const operator = await apiAs(stack, { sub: 'oto', tenantId: 'first', roles: ['marketing_operator'] });
    expect(await operator.get('/me')).to.deep.include({ userId: 'oto', tenantId: 'first' });
    expect((await operator.get<{ items: unknown[] }>('/service-numbers')).items).to.have.length(1);
    for (const token of ['nonsense', `${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`]) {
      expect((await call('GET', `${stack.addresses.bff}/api/v1/me`, { token })).status).to.equal(401);
    }
  });

  it('S0-R11: nothing exists that the MVP leaves out', async () => {
    const left = /compliance|pre-?check|write-?back|quota|render|copilot/i;
    const paths = Object.values(frontendOperations).map(({ path }) => path);
    expect(paths.filter((path) => left.test(path))).to.deep.equal([]);
    const { api, serviceNumberId } = tenant(0);
    const advanced = { type: 'ai_query', query: 'everybody who likes tea' };
    const rejected = await api.post('/audiences:preview', { serviceNumberId, audience: advanced }).catch(String);
    expect(rejected).to.contain('422');
    const phase2 = await call('POST', `${stack.addresses.bff}/api/ai/anything`, { body: {} });
    expect([phase2.status, phase2.body['code']]).to.deep.equal([404, 'phase_2']);
    // Conversions are reported to nobody: the platform got broadcasts, entry sources and slots.
    for (const { path } of stack.toPlatform.calls) expect(path).to.match(/\/(broadcasts|entry-sources|embed)(\/|$)/);
  });

  it('S0-R5: without the backend the BFF still signs embed registration; what the backend signs is not sent', async () => {
    await stack.kill('backend');
    const before = stack.toPlatform.calls.length;
    await tenant(0).api.post('/integration/slots:register');
    await eventually('it is registered', () => stack.toPlatform.calls[before]?.status === 200);
    const rejected = await draftCampaign(tenant(0), {}).catch(String);
    expect(rejected).to.contain('503');
    const paths = stack.toPlatform.calls.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(paths).to.deep.equal(['POST /openapi/v1/embed/configurations']);
    await stack.restart('backend');
  });

  it('S0-AU3: the backend itself signs A1 to A3 and F1 to F3: all of them arrive without a BFF', async () => {
    await stack.kill('bff');
    const before = stack.toPlatform.calls.length;
    const internal = `${stack.addresses.backend}/internal/v1`;
    const externalTenantId = await externalTenantOf(stack.database.connect('outreach'), 'first');
    const person = { platformTenantId: 'first', externalTenantId, userId: 'ada', name: 'Ada', role: 'tenant_admin' };
    const service = jsonClient(internal, stack.settings.INTERNAL_API_SECRET[0]);
    const { token } = await service.post<{ token: string }>('/tokens', person);
    const alone = { ...tenant(0), api: jsonClient(internal, token) };
    const schedule = { type: 'scheduled' as const, at: inAnHour() };
    const { id } = await draftCampaign(alone, { messages: [asks], schedule });
    await alone.api.post(`/campaigns/${id}:send`);
    const is = (status: string) => async () => (await alone.api.get<Campaign>(`/campaigns/${id}`)).status === status;
    await eventually('the platform has it', async () => {
      const { items } = await alone.api.get<{ items: { status: string }[] }>(`/campaigns/${id}/tasks`);
      return items[0]?.status === 'scheduled';
    });
    const renamed = await call('PATCH', `${internal}/campaigns/${id}`, {
      token,
      body: { name: 'B' },
      headers: { 'If-Match': '*' },
    });
    expect(renamed.status, JSON.stringify(renamed.body)).to.equal(200);
    await eventually('F2 was called', () => stack.toPlatform.of('PUT', /\/entry-sources\/[^/]+$/).length > 0);
    await alone.api.post(`/campaigns/${id}:cancel`);
    await eventually('it is cancelled', is('cancelled'));
    await alone.api.post(`/campaigns/${id}:close`);
    await sendOne(alone);
    const expected = [
      ['POST', /\/broadcasts$/],
      ['GET', /\/broadcasts\/[^/]+$/],
      ['POST', /\/broadcasts\/[^/]+:cancel$/],
      ['POST', /\/entry-sources$/],
      ['PUT', /\/entry-sources\/[^/]+$/],
      ['PUT', /\/entry-sources\/[^/]+\/status$/],
    ] as const;
    await eventually('all six kinds got a response', () => {
      const since = stack.toPlatform.calls.slice(before);
      return expected.every(([method, path]) =>
        since.some((one) => one.method === method && path.test(one.path) && (one.status ?? 500) < 300),
      );
    });
  });

  /** A2 is called for immediate sends. */
  async function sendOne(alone: TestTenant): Promise<void> {
    const { id } = await draftCampaign(alone, {});
    await alone.api.post(`/campaigns/${id}:send`);
  }
});
