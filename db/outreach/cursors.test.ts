import { expect } from 'chai';
import { firstRow, rows } from '../database.ts';
import { listClicks } from './clicks/list.ts';
import { atMicroseconds, toMicroseconds } from './sql-fragments.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedAccepted } from '#test/support/outreach/inbox-events.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { moment } from '#domain/cursor.ts';

describe('cursors of lists by time', () => {
  const database = useDatabase('outreach');

  it('finding 14: page through moments of any year that a platform may send', async () => {
    const tenant = await seedTenant(database, testEncryption);
    const send = await seedAccepted(database, tenant);
    const times = [
      '0001-01-01',
      '1969-12-31',
      '1970-01-01',
      '2026-11-22',
      '2096-10-03',
      '2255-06-06',
      '9999-12-31',
    ].map((day) => `${day}T23:59:59.999999Z`);
    await rows(
      database,
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, clicked_at, event_id)
       select :tenantId, 't', 'c', 'n', ordinal, :campaignId, at, 'e' || ordinal
       from unnest(:times::timestamptz[]) with ordinality as g(at, ordinal)`,
      { tenantId: tenant.tenantId, campaignId: send.campaignId, times },
    );
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listClicks(database, tenant.tenantId, send.campaignId, { limit: 1, cursor });
      found.push(...page.items.map(({ clickedAt }) => clickedAt.toISOString().slice(0, 10)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).to.deep.equal(times.map((time) => time.slice(0, 10)).toReversed());
  });

  it('finding 14: a moment survives its cursor to the microsecond', async () => {
    for (const time of ['0001-01-01T00:00:00.000001Z', '2255-06-06T01:02:03.000007Z', '9999-12-31T23:59:59.999999Z']) {
      const there = await firstRow<{ at: string }>(database, `select ${toMicroseconds(':time::timestamptz')} as at`, {
        time,
      });
      const at = moment.parse(there?.at);
      const back = await firstRow(database, `select ${atMicroseconds('at')} = :time::timestamptz as same`, {
        at,
        time,
      });
      expect(back, time).to.deep.equal({ same: true });
    }
    for (const foreign of ['', '1e3', '253402300800000000', '-62135596800000001'])
      expect(moment.safeParse(foreign).success, foreign).to.equal(false);
  });
});
