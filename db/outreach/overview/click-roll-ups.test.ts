import { expect } from 'chai';
import * as fc from 'fast-check';
import { periodOf, seriesUnit } from '#domain/period.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { type AttributedClick, storeClicks } from '../clicks/attribution.ts';
import { planRows } from '#test/support/servers/plan-rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { readClickedContacts } from './click-roll-ups.ts';
import { readOverview } from './overview.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { timesOf } from '#test/support/extent.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Days and hours of some zones start on the half or quarter of an hour, and some have days of 23.5 or 25 hours. */
const zones = ['UTC', 'Asia/Taipei', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'];
/** Clocks go back in St John's and on Lord Howe Island during these days. */
const start = Date.UTC(2026, 9, 26);
const days = 12;

/** A click as an event reports it: which campaign, contact and button, when, and in which event. */
type Drawn = [campaign: number, contact: number, action: number, minute: number, event: number];
const drawn = fc.tuple(
  fc.nat(2),
  fc.nat(5),
  fc.nat(3),
  // Edges of days and of quarters more often than any other minute.
  fc.oneof(
    fc.nat(days * 1440 - 1),
    fc.nat(days * 96 - 1).map((quarter) => quarter * 15),
  ),
  fc.nat(3),
);
const instant = fc.nat(days * 96).map((quarter) => start + quarter * 15 * MINUTE);
const bound = fc.oneof(
  instant,
  fc.nat(days * DAY).map((ms) => start + ms),
  fc.nat(days).map((day) => start + day * DAY),
);

describe('clicks in the overview', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });

  // Otherwise it depends on the minute what the planner knows.
  before(() =>
    test.connect('outreach', 'owner').raw('alter table click_attribution_rest set (autovacuum_enabled = false)'),
  );

  /** Three campaigns of two service numbers. */
  async function seedCampaigns(): Promise<{ tenantId: string; campaignIds: string[] }> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const campaignIds: string[] = [];
    for (const serviceNumberId of ['sn-1', 'sn-1', 'sn-2']) {
      const { campaignId } = await seedSend(database, tenantId, { chunks: [1] });
      await database('campaign')
        .where({ campaign_id: campaignId })
        .update({ service_number_id: serviceNumberId, sent_at: new Date() });
      campaignIds.push(campaignId);
    }
    return { tenantId, campaignIds };
  }

  const clickOf = (
    tenantId: string,
    campaignId: string,
    [, contact, action, minute, event]: Drawn,
  ): AttributedClick => ({
    tenantId,
    campaignId,
    taskId: `task-${campaignId}`,
    contactId: `c-${contact}`,
    noticeId: 'n',
    arm: null,
    messageCase: null,
    actionIndex: action,
    messageIndex: 0,
    bizEventCode: null,
    eventId: `e-${action}-${event}`,
    clickedAt: new Date(start + minute * MINUTE),
  });

  const store = (clicks: AttributedClick[]) =>
    database.transaction((transaction) => storeClicks(transaction, clicks, new Date()));

  /** The expected result, computed row by row. */
  async function counted(
    scope: { tenantId: string; serviceNumberId: string | undefined },
    from: Date,
    to: Date,
    timeZone: string,
  ) {
    const source = `click_attribution k join campaign c using (campaign_id)
      where k.tenant_id = :tenantId and (:serviceNumberId::text is null or c.service_number_id = :serviceNumberId)
        and clicked_at >= :from and clicked_at < :to`;
    const bindings = { tenantId: scope.tenantId, serviceNumberId: scope.serviceNumberId ?? null, from, to, timeZone };
    const contacts = await firstRow<{ count: number }>(
      database,
      `select count(distinct contact_id) as count from ${source}`,
      bindings,
    );
    const unit = seriesUnit({ previousFrom: from, from, to });
    const series = await rows<{ at: Date; clicks: number }>(
      database,
      `select date_trunc('${unit}', clicked_at, :timeZone) as at, count(*) as clicks from ${source} group by 1 order by 1`,
      bindings,
    );
    return { contacts: contacts?.count, series: series.map(({ at, clicks }) => ({ at: at.toISOString(), clicks })) };
  }

  async function expectSame(tenantId: string, bounds: [number, number], timeZone: string): Promise<void> {
    const [earlier, later] = bounds.toSorted((one, other) => one - other) as [number, number];
    const period = periodOf(
      { from: new Date(earlier).toISOString(), to: new Date(later + 1).toISOString() },
      new Date(start),
    );
    for (const serviceNumberId of [undefined, 'sn-1', 'sn-2']) {
      const scope = { tenantId, serviceNumberId };
      const { figures, series } = await readOverview(database, scope, { ...period, timeZone }, new Date(start));
      const current = await counted(scope, period.from, period.to, timeZone);
      const previous = await counted(scope, period.previousFrom, period.from, timeZone);
      expect(figures.clickedContacts).to.deep.equal({ current: current.contacts, previous: previous.contacts });
      const clicked = series.items.filter(({ clicks }) => clicks > 0).map(({ at, clicks }) => ({ at, clicks }));
      expect(clicked).to.deep.equal(current.series);
    }
  }

  it('match the rows, however often and in whatever order their events arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(drawn, { maxLength: 12 }), { maxLength: 6 }),
        fc.array(fc.tuple(fc.tuple(bound, bound), fc.constantFrom(...zones)), { minLength: 1, maxLength: 4 }),
        async (batches, looks) => {
          const { tenantId, campaignIds } = await seedCampaigns();
          for (const batch of batches)
            await store(batch.map((click) => clickOf(tenantId, campaignIds[click[0]] ?? '', click)));
          for (const [bounds, zone] of looks) await expectSame(tenantId, bounds, zone);
        },
      ),
      { numRuns: timesOf(12, 40) },
    );
  });

  it('match the rows even if a contact’s clicks arrive at two drains concurrently', async () => {
    const { tenantId, campaignIds } = await seedCampaigns();
    const ofDay = (day: number) => [clickOf(tenantId, campaignIds[0] ?? '', [0, 1, day, day * 1440, day])];
    await store(ofDay(5));
    const waits = () =>
      eventually('the second waits for the first', async () => {
        const blocked = `select from pg_locks where not granted and locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`;
        return (await rows(database, blocked, {})).length === 1;
      });
    let second: Promise<void> | undefined;
    await database.transaction(async (transaction) => {
      await storeClicks(transaction, ofDay(7), new Date());
      second = store(ofDay(9));
      await Promise.race([second, waits()]);
    });
    await second;
    for (let day = 0; day < days; day += 1)
      await expectSame(tenantId, [start + day * DAY, start + days * DAY], 'Asia/Kolkata');
  });

  it('are not counted for any period by a transaction that is rolled back', async () => {
    const { tenantId, campaignIds } = await seedCampaigns();
    const click = clickOf(tenantId, campaignIds[0] ?? '', [0, 1, 1, 100, 1]);
    const undone = database.transaction(async (transaction) => {
      await storeClicks(transaction, [click], new Date());
      throw new Error('undone');
    });
    await undone.catch((error: Error) => expect(error.message).to.equal('undone'));
    await expectSame(tenantId, [start, start + DAY], 'UTC');
  });

  describe('are added by reading the clicks of their contacts alone', () => {
    const add = (
      database: Database,
      { tenantId, campaignIds }: Awaited<ReturnType<typeof seedCampaigns>>,
      task: string,
      count: number,
    ) =>
      database.raw(
        `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
         select :tenantId, :task, 'c-' || n % 300, 'n-' || n, 0, :campaignId, :task || n, :start::timestamptz + n * interval '1 minute'
         from generate_series(1, :count::int) as n`,
        { tenantId, task, campaignId: campaignIds[0] ?? '', count, start: new Date(start) },
      );
    async function readForTwenty(): Promise<number> {
      const campaigns = await seedCampaigns();
      await add(database, campaigns, 'earlier', 3000);
      const { scanned, fetched } = await rowsRead(database, ['click_attribution'], (transaction) =>
        add(transaction, campaigns, 'later', 20),
      );
      return scanned + fetched;
    }
    // Those of 20 contacts, a few times; all would be 60,000 and more.
    const [few, many] = [20, 2000];

    it('while the table has no statistics', async () => {
      expect(await readForTwenty()).to.be.within(few, many);
    });

    it('while its statistics are of a time when it was nearly empty', async () => {
      const owner = test.connect('outreach', 'owner');
      await owner.raw('truncate click_attribution, click_quarter, clicked_day, clicked_hour');
      await add(database, await seedCampaigns(), 'first', 1);
      await owner.raw('analyze click_attribution');
      expect(await readForTwenty()).to.be.within(few, many);
    });
  });

  it('are read of the hours at the ends of a period alone, however long it is', async () => {
    const { tenantId, campaignIds } = await seedCampaigns();
    const [perDay, contacts] = [500, 5000];
    await database.raw(
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
       select :tenantId, 'task', 'c-' || n * 7919 % :contacts::int, 'n-' || n, 0, :campaignId, 'e-' || n,
         :start::timestamptz + n * interval '1 day' / :perDay::int
       from generate_series(0, 40 * :perDay::int - 1) as n`,
      { tenantId, campaignId: campaignIds[0] ?? '', contacts, perDay, start: new Date(start) },
    );
    await database.raw(`select analyze_partitioned('click_attribution')`);
    const period = periodOf(
      { from: new Date(start + 19.4 * DAY).toISOString(), to: new Date(start + 37.7 * DAY).toISOString() },
      new Date(start),
    );
    for (const serviceNumberId of [undefined, 'sn-1']) {
      const scope = { tenantId, serviceNumberId };
      const read = await planRows(database, 'click_attribution', (transaction) =>
        readClickedContacts(transaction, scope, period),
      );
      expect(read).to.be.at.most(4 * perDay);
    }
    await expectSame(tenantId, [period.from.getTime(), period.to.getTime() - 1], 'UTC');
  });

  it('fall into whole quarters of an hour in every time zone since the year 2000', () => {
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
      for (let year = 2000; year < 2040; year += 1) {
        for (const month of [0, 6]) {
          const parts = format.formatToParts(Date.UTC(year, month));
          const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
          expect(offset, `${timeZone} in ${year}`).to.match(/^GMT([+-]\d\d:(00|15|30|45))?$/);
        }
      }
    }
  });
});
