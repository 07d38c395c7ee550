import { expect } from 'chai';
import type { CopyDrafts } from '#domain/api/ai.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { applyRetentionScheduleId } from '#workflows/contracts/apply-retention.ts';
import { deleteOldPayloadsScheduleId } from '#workflows/contracts/delete-old-payloads.ts';
import { expireTemporaryTagsScheduleId } from '#workflows/contracts/expire-temporary-tags.ts';
import { reconcileChargesScheduleId } from '#workflows/contracts/orders/reconcile-shops.ts';
import { noResponseScanScheduleId } from '#workflows/contracts/scan-no-response.ts';
import { createLauncher } from '#api/backend/launch.ts';
import { repeatLaunches } from '#api/backend/routes/repeats/schedules.ts';
import { createLauncher as createOrdersLauncher } from '#api/orders/launch.ts';
import { call } from '../support/http/call.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { eventually } from '../support/time/eventually.ts';
import { numberPerIntegration } from './shared-platform.ts';
import {
  bringContacts,
  connectWebhook,
  eventSender,
  install,
  type IsolatedTenant,
  make,
  type Made,
  order,
  play,
  type SendEvent,
  signedPost,
} from './tenant-story.ts';
import { ask, isStream, operations, pathOf, tracesOf } from './every-operation.ts';
import { recordStream, type RecordedStream } from './recorded-stream.ts';
import { checkWorkflows } from './workflow-attributes.ts';
import { usePlatform } from '../support/fixtures/outreach.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { useCompletions } from '../support/fixtures/doubles.ts';

interface Side {
  tenant: IsolatedTenant;
  made: Made & { orderId: string; deliveryId: string; endpointId: string };
  send: SendEvent;
  stream: RecordedStream;
}

describe('two tenants at once with the same externally chosen ids', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const provider = useCompletions();
  const stack = useStack(() => ({
    env: {
      PLATFORM_BASE_URL: platform.baseUrl,
      INBOX_PARTITIONS: '1',
      TOOL_API_ENABLED: 'true',
      AI_BASE_URL: provider.baseUrl,
      AI_MODEL: 'writer',
    },
  }));
  let sides: [Side, Side];

  before(async () => {
    numberPerIntegration(platform);
    const started = ([name, contacts]: [string, number]) => begin(name, contacts);
    sides = (await Promise.all([started(['lily', 30]), started(['rose', 20])])) as [Side, Side];
    await Promise.all(sides.map(({ tenant, made, send }) => play(tenant, made, send)));
    await Promise.all(sides.map(finish));
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  async function begin(name: string, contacts: number): Promise<Side> {
    const tenant = await install(stack, name, contacts);
    const send = eventSender(stack, tenant);
    await bringContacts(tenant, send);
    const made = { ...(await make(tenant)), orderId: await order(tenant), ...(await connectWebhook(tenant)) };
    const address = `${stack.addresses.bff}/api/v1/campaigns/${made.linked}/stream`;
    return { tenant, made, send, stream: await recordStream(address, tenant.token) };
  }

  /** Waits until the events are handled. */
  async function finish({ tenant, made }: Side): Promise<void> {
    await eventually('every event is handled', async () => {
      const { items } = await tenant.api.get<{ items: { eventId: string; status: string }[] }>(
        '/event-inbox?limit=200',
      );
      return items.every(({ eventId, status }) => status === (eventId === 'orphan' ? 'stored' : 'processed'));
    });
    await eventually('the campaign is completed', async () => {
      return (await tenant.api.get<{ status: string }>(`/campaigns/${made.linked}`)).status === 'completed';
    });
  }

  const inTurn = (): [Side, Side][] => [
    [sides[0], sides[1]],
    [sides[1], sides[0]],
  ];

  async function expectNothingOf({ tenant, made }: Side, text: string, where: string): Promise<void> {
    const traces = [
      tenant.name,
      made.orderId,
      made.deliveryId,
      made.endpointId,
      ...(await tracesOf(stack, { tenant, made })),
    ];
    for (const trace of traces) expect(text.includes(trace), `${trace} in ${where}`).to.equal(false);
  }

  async function pathFor({ tenant, made }: Side, operation: AnyOperation): Promise<string> {
    const [entry] = (await tenant.api.get<{ items: { auditId: string }[] }>('/audit-log')).items;
    return pathOf({ tenant, made }, operation, {
      deliveryId: made.deliveryId,
      endpointId: made.endpointId,
      auditId: entry?.auditId,
      userId: 'nobody',
    });
  }

  /** The campaign has no variants, and the tenant no control group. */
  const lacking: Record<string, number> = { '/campaigns/{id}/variants': 404, '/control-group/lift': 422 };
  const request = ({ tenant }: Side, operation: AnyOperation, path: string) =>
    ask(stack, tenant.token, operation, path);

  it('every GET returns what the tenant owns, and nothing that belongs to the other', async () => {
    for (const [mine, other] of inTurn()) {
      for (const [name, operation] of operations) {
        if (operation.method !== 'get' || isStream(operation)) continue;
        const { status, body } = await request(mine, operation, await pathFor(mine, operation));
        const expected = lacking[operation.path] ?? 200;
        expect(status, `${name}: ${JSON.stringify(body)}`).to.equal(expected);
        await expectNothingOf(other, JSON.stringify(body), name);
      }
    }
  });

  it("S0-C1: every operation on the other's data responds 404 and changes nothing", async () => {
    for (const [mine, other] of inTurn()) {
      const { api } = other.tenant;
      const state = async () => [
        await api.get(`/campaigns/${other.made.linked}`),
        await api.get(`/audiences/${other.made.audienceId}`),
        await api.get(`/smart-tag-rules/${other.made.ruleId}`),
        await api.get(`/tags/${other.made.tagId}/assignments?limit=200`),
        await api.get(`/event-inbox/${other.tenant.onlyContact}`),
        await api.get('/audit-log?limit=200'),
      ];
      const before = await state();
      let tried = 0;
      for (const [name, operation] of operations) {
        // Somebody who never signed in may be named.
        if (!operation.path.includes('{') || operation.path.startsWith('/users/')) continue;
        const { status, body } = await request(mine, operation, await pathFor(other, operation));
        expect(status, `${name}: ${JSON.stringify(body)}`).to.equal(404);
        tried += 1;
      }
      expect(tried).to.be.greaterThan(30);
      expect(await state()).to.deep.equal(before);
    }
  });

  it('counts the same contacts, clicks and sessions separately for each', async () => {
    for (const { tenant, made } of sides) {
      interface Results {
        audienceCount: number;
        clicks: { total: number; uniqueContacts: number };
        conversations: object;
        tagged: { tagId: string; contacts: number }[];
      }
      const results = await tenant.api.get<Results>(`/campaigns/${made.linked}/results`);
      const { audienceCount, clicks, conversations, tagged } = results;
      expect([audienceCount, clicks.total, clicks.uniqueContacts]).to.deep.equal(Array(3).fill(tenant.contacts));
      expect(conversations).to.deep.equal({ opened: 1, closed: 1 });
      expect(tagged).to.deep.equal([{ tagId: made.tagId, contacts: tenant.contacts / 2 }]);
      const timeline = await tenant.api.get<object>('/contacts/sn-1/c-1/timeline');
      expect(JSON.stringify(timeline)).to.contain(made.linked);
    }
  });

  it("streams only the tenant's own campaign progress", async () => {
    for (const [{ stream, tenant }, other] of inTurn()) {
      await eventually('the stream reports the end', () => stream.text().includes('"completed"'));
      stream.close();
      await expectNothingOf(other, stream.text(), 'the stream');
      const counts = [...stream.text().matchAll(/"audienceCount":(\d+)/g)].map((match) => Number(match[1]));
      expect(counts.at(-1)).to.equal(tenant.contacts);
      for (const count of counts) expect(count).to.be.oneOf([0, tenant.contacts]);
    }
  });

  it('shows orders only to their own tenant, and leaves goods and coupons to their owners', async () => {
    const [first, second] = sides;
    const coupon = { tenantId: first.tenant.name, userId: 'ada', name: 'Same' };
    await first.tenant.orders.put('/admin/coupons/same', coupon);
    const { addresses } = stack;
    const asSecond = (method: string, path: string, body?: object) =>
      call<{ code: number }>(method, `${addresses.orders}/transaction/v1${path}`, { token: second.tenant.token, body });
    const stolen = await asSecond('PUT', '/admin/coupons/same', { ...coupon, tenantId: second.tenant.name });
    expect([stolen.status, stolen.body.code]).to.deep.equal([403, 90003]);
    for (const [mine, other] of inTurn()) {
      const tenantId = mine.tenant.name;
      const own = await mine.tenant.orders.post<object>('/user/order/list', { tenantId });
      const all = await mine.tenant.orders.get<object>('/admin/orders');
      for (const response of [own, all]) {
        expect(JSON.stringify(response)).to.contain(mine.made.orderId);
        await expectNothingOf(other, JSON.stringify(response), 'orders');
      }
      const { token } = mine.tenant;
      const { orderId } = other.made;
      const transaction = `${addresses.orders}/transaction/v1`;
      const item = await call('POST', `${transaction}/user/order/item`, { token, body: { tenantId, orderId } });
      const staff = await call('GET', `${transaction}/admin/orders/${orderId}`, { token });
      expect([item.status, staff.status]).to.deep.equal([404, 404]);
    }
  });

  it('calls the platform for each tenant under its own integration', async () => {
    for (const [mine, other] of inTurn()) {
      const { integrationId } = mine.tenant;
      const own = await eventually('both sends have arrived', () => {
        const calls = platform.calls.filter(({ headers }) => headers.authorization?.includes(` ${integrationId}:`));
        expect(calls.filter(({ route }) => route === 'A1')).to.have.length(2);
        return calls;
      });
      const text = JSON.stringify(own.map(({ body, path }) => ({ body, path })));
      expect(text.includes(other.tenant.mark) || text.includes(other.made.linked)).to.equal(false);
    }
  });

  it('drafts of each are written from its own brief, in its own name', async () => {
    const written = await Promise.all(
      sides.map(({ tenant }) =>
        jsonClient(`${stack.addresses.bff}/api`, tenant.token).post<CopyDrafts>('/ai/copywriting', {
          brief: `Of ${tenant.mark}`,
          serviceNumberId: 'sn-1',
        }),
      ),
    );
    expect(written.map(({ drafts }) => drafts.length)).to.deep.equal([3, 3]);
    expect(provider.calls).to.have.length(2);
    for (const [own, other] of inTurn()) {
      const text = JSON.stringify(provider.calls.find(({ body }) => JSON.stringify(body).includes(own.tenant.mark)));
      expect(text).to.include(`Main ${own.tenant.mark}`);
      await expectNothingOf(other, text, 'what the model is told');
    }
  });

  it('every workflow shows its subject: its tenant, campaign or order, a summary and its progress', async () => {
    const [{ tenant, made }, leaving] = sides;
    await call('PATCH', `${stack.addresses.bff}/api/v1/campaigns/${made.linked}`, {
      token: tenant.token,
      body: { name: `Other name, ${tenant.mark}` },
      headers: { 'If-Match': '*' },
    });
    const { client } = stack.temporal;
    await tenant.api.post('/integration/slots:register');
    await tenant.api.post(`/campaigns/${made.linked}:close`);
    const schedules = [
      expireTemporaryTagsScheduleId,
      noResponseScanScheduleId,
      deleteOldPayloadsScheduleId,
      applyRetentionScheduleId,
    ];
    for (const id of [...schedules, reconcileChargesScheduleId]) await client.schedule.getHandle(id).trigger();
    const { orderId } = made;
    const about = { tenantId: tenant.name, campaignId: made.linked };
    await createLauncher(client).variantTest(about, { wake: false });
    await createLauncher(client).steps(about, { wake: false });
    await createLauncher(client).automations({ tenantId: tenant.name, serviceNumberId: 'sn-1' }, { wake: false });
    await repeatLaunches(client).repeat({ tenantId: tenant.name, repeatId: 'nobody' });
    await createOrdersLauncher(client).startRefund({ refundId: 'nobody', orderId, tenantId: tenant.name });
    await signedPost(stack, tenant)('/rotate-secret', {
      tenantIntegrationId: tenant.integrationId,
      newSecret: 'the-next-secret'.padEnd(40, '-'),
    });
    await signedPost(stack, leaving.tenant)('/uninstall', { tenantIntegrationId: leaving.tenant.integrationId });
    const owners = new Map(
      sides.flatMap((side) =>
        [side.made.linked, side.made.draft, side.made.scheduled, side.made.orderId].map((id) => [id, side.tenant.name]),
      ),
    );
    await checkWorkflows(client, owners);
  });
});
