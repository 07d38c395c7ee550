import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { REQUEST_ID_HEADER } from '#api/http/request-id.ts';
import { startCuttingProxy } from '../orders/support/cutting-proxy.ts';
import { installBody, newIntegration, signedCall, type TestIntegration } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { sharedTemporal } from '../support/servers/servers.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { fixture } from '../support/fixtures/fixture.ts';

const services = ['bff', 'backend', 'orders'] as const;

const followed = (eventId: string) => ({
  eventId,
  eventType: 'contact.followed',
  occurredAt: new Date().toISOString(),
  scope: { serviceNumberId: 'sn-watched' },
  data: { contactId: `c-${eventId}`, serviceNumberId: 'sn-watched' },
});

describe('running the services', function () {
  this.timeout(120_000);
  const toTemporal = fixture(async () => {
    const value = await startCuttingProxy(`http://${await sharedTemporal()}`);
    return { value, close: () => value.stop() };
  });
  const stack = useStack(() => ({ env: { TEMPORAL_ADDRESS: new URL(toTemporal.url).host } }));
  let tenant: TestTenant;
  let signer: TestIntegration;
  before(async () => {
    tenant = await installTenant(stack, { tenantId: 'watched', serviceNumberId: 'sn-watched', contacts: 3 });
    signer = await signerOf(tenant);
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  const bff = () => ({ url: stack.addresses.bff });
  const appSecret = () => stack.settings.PLATFORM_APP_SECRET[0];
  const logOf = (service: string) => readFileSync(join(stack.dataFolder, 'logs', `${service}.log`), 'utf8');

  it('the X-Request-Id of every webhook is in the logs of BFF and backend, even for webhooks forwarded together', async () => {
    const requestIds = Array.from({ length: 40 }, () => `webhook-${randomUUID()}`);
    const responses = await Promise.all(
      requestIds.map((id) =>
        signedCall(bff(), '/webhook', signer, followed(randomUUID()), { headers: { [REQUEST_ID_HEADER]: id } }),
      ),
    );
    expect(responses.map(({ headers }) => headers.get(REQUEST_ID_HEADER))).to.deep.equal(requestIds);
    for (const service of ['bff', 'backend']) {
      await eventually(`they are in the log of the ${service}`, () => {
        const log = logOf(service);
        return requestIds.every((id) => log.includes(id));
      });
    }
    const batches = logOf('backend').match(/"requestIds":\[[^\]]*,[^\]]*\]/g) ?? [];
    expect(batches.length, 'webhooks forwarded together').to.be.greaterThan(0);
  });

  it('the X-Request-Id of a call is in the logs of every service on its way', async () => {
    const { body } = await call<{ token: string }>('POST', `${stack.addresses.sandbox}/sandbox/tokens`, {
      body: { sub: 'ada', name: 'Ada', tenantId: 'watched', roles: ['tenant_admin'] },
    });
    for (const [path, service] of [
      ['/api/v1/campaigns', 'backend'],
      ['/transaction/v1/admin/orders', 'orders'],
    ] as const) {
      const id = `call-${randomUUID()}`;
      await call('GET', `${stack.addresses.bff}${path}`, { token: body.token, headers: { [REQUEST_ID_HEADER]: id } });
      for (const one of ['bff', service])
        await eventually(`${path} is in the log of the ${one}`, () => logOf(one).includes(id));
    }
  });

  it('metrics count webhooks, duplicates, rejections, the inbox and sub-tasks, and time A1 calls and HTTP', async () => {
    const before = { bff: await readMetrics(stack.metrics.bff), backend: await readMetrics(stack.metrics.backend) };
    const grown = async (service: 'bff' | 'backend', sample: string) =>
      ((await readMetrics(stack.metrics[service])).get(sample) ?? 0) - (before[service].get(sample) ?? 0);
    const event = followed(randomUUID());
    await signedCall(bff(), '/webhook', signer, event);
    await signedCall(bff(), '/webhook', signer, event);
    await signedCall(bff(), '/webhook', signer, { ...event, eventType: 'label.added' });
    await signedCall(bff(), '/webhook', signer, event, { secret: 'not-the-secret-of-this-integration' });
    await sendCampaign(tenant, {});
    expect(await grown('bff', 'webhooks_total{result="received"}')).to.be.at.least(2);
    expect(await grown('bff', 'webhooks_total{result="ignored"}')).to.equal(1);
    expect(await grown('bff', 'webhooks_total{result="unauthorized"}')).to.equal(1);
    expect(await grown('backend', 'inbox_intake_total{result="stored"}')).to.be.at.least(1);
    expect(await grown('backend', 'inbox_intake_total{result="duplicate"}')).to.equal(1);
    expect(await grown('backend', 'subtask_submission_seconds_count{outcome="accepted"}')).to.equal(1);
    const campaigns = 'http_request_duration_seconds_count{method="POST",route="/internal/v1/campaigns",status="201"}';
    expect(await grown('backend', campaigns)).to.equal(1);
    const db = stack.database.connect('outreach');
    await db('event_inbox').where({ event_id: event.eventId }).update({ status: 'failed', error: 'for the test' });
    const samples = await readMetrics(stack.metrics.backend);
    expect(samples.get('inbox_events{status="failed"}')).to.equal(1);
    expect(samples.get('inbox_events{status="stored"}')).to.be.a('number');
    expect(samples.get('inbox_drain_lag_seconds')).to.be.within(0, 60);
    expect(samples.get('subtasks_unknown')).to.equal(0);
    expect((await readMetrics(stack.metrics.orders)).get('orders_holds_open')).to.equal(0);
    for (const service of services) {
      const names = [...(await readMetrics(stack.metrics[service])).keys()].join('\n');
      for (const secretive of ['watched', 'sn-watched', event.eventId]) expect(names).to.not.include(secretive);
      // Of its worker, which the SDK measures.
      expect(names)
        .to.match(/^temporal_worker_task_slots_available\{/m)
        .and.match(/^temporal_request_total\{/m);
      // A proxy in front of the service would publish what is there.
      const published = await fetch(`${stack.addresses[service]}/metrics`);
      expect(published.status).to.equal(404);
      const elsewhere = await fetch(`${stack.metrics[service]}/readyz`);
      expect(elsewhere.status).to.equal(404);
    }
  });

  it('without Temporal every service starts, reports what is missing, and recovers by itself once it is available', async () => {
    toTemporal.break();
    // From here on the new process responds.
    await Promise.all(services.map((service) => stack.child(service).stop()));
    const restarting = Promise.all(services.map((service) => stack.restart(service)));
    restarting.catch(() => undefined);
    for (const service of services) {
      await eventually(
        `the ${service} is up`,
        async () => (await call('GET', `${stack.addresses[service]}/healthz`)).status === 200,
        {
          timeoutMs: 30_000,
        },
      );
      await eventually(`the ${service} reports what is missing`, async () => {
        const ready = await call<{ checks: Record<string, string> }>('GET', `${stack.addresses[service]}/readyz`);
        expect([ready.status, ready.body.checks['database']]).to.deep.equal([200, 'ok']);
        expect(ready.body.checks['temporal']).to.match(/UNAVAILABLE|No connection|no response|DEADLINE/i);
        return true;
      });
    }
    const late = newIntegration();
    const rejected = await signedCall(bff(), '/install', late, installBody(late), { appSecret: appSecret() });
    expect([rejected.status, rejected.body['code']]).to.deep.equal([503, 'unavailable']);
    expect(rejected.headers.get('retry-after')).to.match(/^\d+$/);
    // Everything without a workflow keeps working: events are stored, pages are read.
    const eventId = randomUUID();
    expect((await signedCall(bff(), '/webhook', signer, followed(eventId))).body).to.deep.equal({ received: true });
    expect((await tenant.api.get<{ items: unknown[] }>('/campaigns')).items).to.have.length(1);

    toTemporal.mend();
    await restarting;
    await eventually(
      'the install goes through',
      async () =>
        (await signedCall(bff(), '/install', late, installBody(late), { appSecret: appSecret() })).status === 200,
      { timeoutMs: 30_000, intervalMs: 250 },
    );
    const db = stack.database.connect('outreach');
    await eventually(
      'the event is handled',
      async () => (await db('event_inbox').where({ event_id: eventId }).first())?.status === 'processed',
      { timeoutMs: 60_000 },
    );
    await sendCampaign(tenant, {});
  });
});
