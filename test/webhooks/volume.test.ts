import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { timesOf } from '../support/extent.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

const CAMPAIGNS = 20;
const OUTAGE_MINUTES = 60;
const STEP_MINUTES = 5;
const STEPS = OUTAGE_MINUTES / STEP_MINUTES;

describe('events while an endpoint is down for an hour', function () {
  this.timeout(900_000);
  const backend = useBackend();
  let site: EventSite;

  before(async () => {
    site = await openEventSite(backend);
  });
  after(() => site.close());

  const query = <Row extends object>(sql: string, bindings: Record<string, unknown> = {}) =>
    rows<Row>(backend.db, sql, { tenantId: site.tenantId, ...bindings });
  /** Each campaign is paused once, which is an event of it. */
  async function pauseAll(ids: string[]): Promise<void> {
    await query(`update campaign set status = 'paused', pause_reason = 'operator' where campaign_id = any(:ids)`, {
      ids,
    });
    await query(`update campaign set status = 'sending', pause_reason = null where campaign_id = any(:ids)`, { ids });
  }
  /** As if so much time had passed since the attempts so far. */
  async function pass(minutes: number): Promise<void> {
    await query(
      `update delivery set next_attempt_at = next_attempt_at - :minutes * interval '1 minute',
         trying_since = trying_since - :minutes * interval '1 minute'
       where tenant_id = :tenantId and status = 'pending' and trying_since is not null`,
      { minutes },
    );
    await query(
      `update webhook set failing_since = failing_since - :minutes * interval '1 minute' where tenant_id = :tenantId`,
      { minutes },
    );
  }
  const untilAllTried = () =>
    eventually('what is due was tried', async () => {
      const due = await query(
        `select 1 from delivery where tenant_id = :tenantId and status = 'pending' and trying_since is not null
           and next_attempt_at <= now()`,
      );
      return due.length === 0;
    });

  it('all arrive once it is back, in order for each campaign, and it is left alone meanwhile', async () => {
    const perCampaign = timesOf(24, 500);
    await site.configure(['campaign.paused']);
    const sends = [];
    for (let made = 0; made < CAMPAIGNS; made += 1) sends.push(await site.seedSend({ chunks: [1] }));
    const ids = sends.map(({ campaignId }) => campaignId);
    const { received, state } = site.receiver;
    state.respond = (_, response) => void response.writeHead(503).end();
    site.startRelay();

    const began = performance.now();
    for (let step = 0; step < STEPS; step += 1) {
      for (let event = 0; event < perCampaign / STEPS; event += 1) await pauseAll(ids);
      await untilAllTried();
      await pass(STEP_MINUTES);
    }
    await untilAllTried();
    const tries = received.splice(0).length;
    const written = await query<{ eventId: string; stream: string }>(
      'select event_id, stream from delivery where tenant_id = :tenantId order by position',
    );
    expect(written.length).to.be.at.least(CAMPAIGNS * perCampaign);
    const back = performance.now();
    state.respond = site.receiver.accept;
    // What has failed for an hour is tried within 75 minutes.
    await pass(2 * OUTAGE_MINUTES);
    await eventually(
      'all is delivered',
      async () =>
        (await query(`select 1 from delivery where tenant_id = :tenantId and status = 'pending' limit 1`)).length === 0,
      { timeoutMs: 300_000 },
    );
    const seconds = (performance.now() - back) / 1000;
    process.stdout.write(
      `${written.length} events of ${CAMPAIGNS} campaigns: ${tries} attempts in an outage of ${OUTAGE_MINUTES} minutes ` +
        `(${((back - began) / 1000).toFixed(1)} s here), then delivered in ${seconds.toFixed(1)} s, ` +
        `${Math.round(written.length / seconds)} a second, ${received.length} calls\n`,
    );

    const places = new Map(written.map(({ eventId }, place) => [eventId, place]));
    const arrived = [...new Set(received.map(({ eventId }) => eventId))];
    expect(arrived).to.have.members(written.map(({ eventId }) => eventId));
    for (const id of ids) {
      const own = written.filter(({ stream }) => stream === id).map(({ eventId }) => places.get(eventId));
      const came = received.filter(({ body }) => body.includes(id)).map(({ eventId }) => places.get(eventId));
      expect([...new Set(came)], id).to.deep.equal(own);
    }
    // Each campaign tries its first event alone, and waits about as long as it has waited so far.
    expect(tries / CAMPAIGNS).to.be.within(3, 12);
    expect(
      await query(`select 1 from webhook where tenant_id = :tenantId and failing_since is not null`),
    ).to.have.length(0);
  });
});
