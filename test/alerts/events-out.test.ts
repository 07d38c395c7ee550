import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createBackendMetrics } from '#api/backend/metrics.ts';
import { createMetricsServer } from '#api/runtime/metrics-server.ts';
import { rows } from '#db/database.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { listen } from '../support/http/listen.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

const attempts = (result: string) => `outreach_delivery_attempts_total{result="${result}"}`;
const PENDING = 'outreach_deliveries{status="pending"}';

describe('alerts of the events to tenants', function () {
  this.timeout(120_000);
  const backend = useBackend();
  const metrics = fixture(async () => {
    const registry = new Registry();
    const { countDelivery } = createBackendMetrics(registry, backend.db);
    const server = createMetricsServer({ registry });
    const address = await listen(server);
    const close = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections());
    return { value: { address, countDelivery }, close };
  });
  const alerts = rehearse('backend', () => metrics.address);
  let site: EventSite;
  before(async () => {
    site = await openEventSite(backend, (result) => metrics.countDelivery(result));
    await site.configure();
  });
  afterEach(() => site.stopRelays());
  after(() => site.close());

  const sample = async (name: string) => (await readMetrics(metrics.address)).get(name) ?? 0;
  const nonePending = () => eventually('none is pending', async () => (await sample(PENDING)) === 0);
  const test = () => site.call('POST', '/webhook:test');

  it('events wait, because the relay is stopped, until it runs again', async () => {
    await alerts.scrape('EventsOutStopped');
    await test();
    expect(await sample(PENDING)).to.equal(1);
    await alerts.scrape('EventsOutStopped');
    site.startRelay();
    await nonePending();
    await alerts.scrape('EventsOutStopped');
  });

  it('a receiver does not accept events, until it does', async () => {
    await alerts.scrape('EventsOutLate');
    site.receiver.state.respond = (_, response) => void response.writeHead(503).end();
    await test();
    site.startRelay();
    await eventually('an attempt was rejected', async () => (await sample(attempts('rejected'))) > 0);
    await rows(
      backend.db,
      `update delivery set created_at = now() - interval '2 hours', trying_since = now() - interval '2 hours'
       where status = 'pending'`,
      {},
    );
    expect(await sample('outreach_delivery_oldest_seconds')).to.be.at.least(7200);
    await alerts.scrape('EventsOutLate');
    site.receiver.state.respond = site.receiver.accept;
    await site.hurry();
    await nonePending();
    await alerts.scrape('EventsOutLate');
  });

  it('what became of deliveries is not stored, because no key opens the webhook’s secret', async () => {
    await alerts.scrape('EventsOutNotStored');
    const [webhook] = await rows<{ sealedSecret: string }>(backend.db, 'select sealed_secret from webhook', {});
    const seal = (secret: string | undefined) =>
      rows(backend.db, 'update webhook set sealed_secret = :secret', { secret });
    await seal('v2.another.AAAA');
    await test();
    site.startRelay();
    await eventually('an attempt was not stored', async () => (await sample(attempts('not_stored'))) > 0);
    await alerts.scrape('EventsOutNotStored');
    await seal(webhook?.sealedSecret);
    await rows(backend.db, `update delivery set leased_until = null where status = 'pending'`, {});
    await nonePending();
    await alerts.scrape('EventsOutNotStored');
  });

  alerts.fireAndClear(['EventsOutStopped', 'EventsOutLate', 'EventsOutNotStored']);
});
