import { expect } from 'chai';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { readRule, runBacktest, seedRule, seedTag } from '#test/support/outreach/rules.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { withoutResponse } from '../no-response.ts';
import { createFoundTable } from './found-contacts.ts';
import { findSilent } from './silent-contacts.ts';
import { timeLimit } from './time-limit.ts';

const EVENTS_A_PAGE = 1000;
const SUB_TASKS_A_PAGE = 1000;
const NAMED = 1000;

describe('a backtest', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let targetTagId: string;
  beforeEach(async () => {
    tenant = await seedTenant(database, testEncryption);
    targetTagId = await seedTag(database, tenant.tenantId);
  });

  const silenceRule = () =>
    seedRule(database, tenant.tenantId, { triggerEvent: 'no_response_for_N_days', days: 2, targetTagId });

  /** A send whose sub-tasks ended three days ago and later, a second apart. */
  async function ended(subTasks: number, contacts: number) {
    const chunks = Array.from({ length: subTasks }, () => contacts);
    const send = await seedSend(database, tenant.tenantId, { chunks });
    await rows(
      database,
      `update broadcast_task set status = 'completed',
         finished_at = now() - interval '3 days' + chunk * interval '1 second' where campaign_id = :campaignId`,
      { campaignId: send.campaignId },
    );
    return send;
  }

  /** Clicks, a second apart, by contacts in turn: `k1` to `k<contacts>` and `k1` again. */
  async function clicked(events: number, contacts: number): Promise<void> {
    const { keys } = await ended(1, 1);
    await rows(database, `update broadcast_task set task_id = 'task-' || key where key = any(:keys)`, { keys });
    await rows(
      database,
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition,
         payload, occurred_at, status)
       select :tenantIntegrationId, 'e' || n, :tenantId, 'notice.clicked', 'sn-1', 0, jsonb_build_object(
           'taskId', 'task-' || :key, 'noticeId', 'n' || n, 'actionIndex', 1,
           'action', jsonb_build_object('type', 'Url', 'url', 'https://shop.example/more'),
           'contactId', 'k' || (n - 1) % :contacts + 1, 'clickedAt', '2026-01-01T00:00:00.000Z')::text,
         now() - interval '1 day' + n * interval '1 second', 'processed'
       from generate_series(1, :events::int) n`,
      { ...tenant, key: keys[0] ?? '', events, contacts },
    );
  }

  /** The statements that `work` sends, and the most rows that one of them returns. */
  async function watched(work: () => Promise<unknown>) {
    const seen = { statements: [] as string[], mostRows: 0, pages: 0 };
    const onQuery = ({ sql }: { sql: string }) => {
      seen.statements.push(sql);
      seen.pages += Number(/from event_inbox|join broadcast_task/.test(sql));
    };
    const onResponse = (response: { rows?: unknown[] } | null) => {
      seen.mostRows = Math.max(seen.mostRows, response?.rows?.length ?? 0);
    };
    database.on('query', onQuery).on('query-response', onResponse);
    try {
      await work();
    } finally {
      database.removeListener('query', onQuery).removeListener('query-response', onResponse);
    }
    return seen;
  }

  /** Runs `work` while another transaction, which it is given, keeps everybody else from a table. */
  async function whileLocked<T>(table: string, work: (locker: Database) => Promise<T>): Promise<T> {
    const locker = await database.transaction();
    try {
      await locker.raw(`lock table ${table} in access exclusive mode`);
      return await work(locker);
    } finally {
      await locker.rollback();
    }
  }

  const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const named = (count: number) => Array.from({ length: count }, (_, index) => `k${index + 1}`);

  it('finding 9: counts the contacts of matching events in the database, and names the first 1,000 in event order', async () => {
    const ruleId = await seedRule(database, tenant.tenantId, { targetTagId });
    await clicked(3500, 1500);
    const seen = await watched(async () => {
      const result = await runBacktest(database, tenant.tenantId, ruleId);
      expect(result).to.deep.equal({ events: 3500, contacts: 1500, contactIds: named(NAMED) });
    });
    expect(seen.pages, 'reads of events').to.be.at.most(2);
    expect(seen.mostRows, 'all clicks are of one kind').to.be.at.most(1);
    expect(seen.statements, 'statements, whatever the number of clicks').to.have.length.of.at.most(20);
  });

  it('finding 9: looks at events in pages if each is of its own kind', async () => {
    const matchCondition = { field: 'noticeId', op: 'ne', value: 'n7' } as const;
    const ruleId = await seedRule(database, tenant.tenantId, { targetTagId, matchCondition });
    await clicked(3500, 1500);
    const seen = await watched(async () => {
      const result = await runBacktest(database, tenant.tenantId, ruleId);
      // The contact of the seventh click clicks again at last.
      const contactIds = named(NAMED + 1).filter((contactId) => contactId !== 'k7');
      expect(result).to.deep.equal({ events: 3499, contacts: 1500, contactIds });
    });
    expect(seen.pages).to.be.at.most(1 + 4);
    expect(seen.mostRows).to.be.at.most(EVENTS_A_PAGE);
  });

  it('finding 9: reads what PostgreSQL takes for no JSON, event by event', async () => {
    const ruleId = await seedRule(database, tenant.tenantId, { targetTagId });
    await clicked(3500, 1500);
    await rows(
      database,
      `update event_inbox set payload = rtrim(payload, '}') || ', "more": 1e-400000}' where event_id = 'e1'`,
      {},
    );
    const seen = await watched(async () => {
      const result = await runBacktest(database, tenant.tenantId, ruleId);
      expect(result).to.deep.equal({ events: 3500, contacts: 1500, contactIds: named(NAMED) });
    });
    expect(seen.mostRows).to.be.at.most(EVENTS_A_PAGE);
    const stored = seen.statements.filter((sql) => sql.includes('insert into found_contact'));
    expect(stored, 'contacts are handed over page by page').to.have.length.of.at.most(4);
  });

  it('finding 9: names a contact where it was found first, within a page and across pages', async () => {
    const ruleId = await seedRule(database, tenant.tenantId, { targetTagId });
    await clicked(2100, 3);
    const { contactIds, contacts } = await runBacktest(database, tenant.tenantId, ruleId);
    expect([contacts, contactIds]).to.deep.equal([3, named(3)]);
  });

  it('finding 9: silence after many sub-tasks costs four statements for a thousand of them, and no row for a contact', async () => {
    const ruleId = await silenceRule();
    const { tenantId } = tenant;
    await ended(1, 3);
    const one = await watched(() => runBacktest(database, tenantId, ruleId));
    await ended(1250, 2);
    const many = await watched(async () => {
      const { events, contacts, contactIds } = await runBacktest(database, tenantId, ruleId);
      // The first send's contacts are among those of the second.
      expect({ events, contacts, ids: contactIds.length }).to.deep.equal({ events: 2503, contacts: 2501, ids: NAMED });
      expect(contactIds.slice(0, 5)).to.deep.equal(['c0-1', 'c0-2', 'c0-3', 'c1-1', 'c1-2']);
      // The 999th of those of the second send and the contact that only the first has.
      expect(contactIds.at(-1)).to.equal('c499-1');
    });
    // The limit of time, its page, its contacts, and before and after these how they are joined.
    expect(many.statements.length - one.statements.length).to.be.at.most(5);
    expect(many.mostRows).to.be.at.most(SUB_TASKS_A_PAGE);
  });

  it('finding 9: only the contacts that responded to that campaign in time are left out', async () => {
    const ruleId = await silenceRule();
    const { campaignId } = await ended(2, 3);
    const other = await ended(1, 1);
    const respond = (campaign: string, contactId: string, ago: string) =>
      rows(
        database,
        `insert into conversation (tenant_id, session_id, campaign_id, contact_id, opened_at)
         values (:tenantId, :contactId, :campaign, :contactId, now() - :ago::interval)`,
        { tenantId: tenant.tenantId, campaign, contactId, ago },
      );
    await respond(campaignId, 'c0-2', '2 days');
    await respond(campaignId, 'c1-1', '1 hour');
    await respond(other.campaignId, 'c1-2', '2 days');
    const result = await runBacktest(database, tenant.tenantId, ruleId);
    expect(result).to.deep.equal({ events: 6, contacts: 5, contactIds: ['c0-1', 'c0-3', 'c1-1', 'c1-2', 'c1-3'] });
  });

  /** Clicks and conversations of one in three contacts each, up to four days ago, of the send's campaign and others. */
  async function respond(campaignIds: string[], contacts: number): Promise<void> {
    const { tenantId } = tenant;
    const answers = (kind: string) =>
      `from (select 'c' || n / 8 || '-' || n % 8 + 1 as contact_id, abs(hashtext('${kind}' || n)) as h, n
         from generate_series(0, :contacts::int - 1) n) x where h % 3 = 0`;
    const campaign = '(:campaignIds::text[])[h / 3 % :campaigns::int + 1]';
    const at = `now() - h / 7 % 96 * interval '1 hour'`;
    const of = { tenantId, campaignIds, campaigns: campaignIds.length, contacts };
    await rows(
      database,
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
       select :tenantId, 'task', contact_id, 'n' || n, 0, ${campaign}, 'e' || n, ${at} ${answers('click')}`,
      of,
    );
    await rows(
      database,
      `insert into conversation (tenant_id, session_id, campaign_id, contact_id, opened_at)
       select :tenantId, 's' || n, ${campaign}, contact_id, ${at} ${answers('conversation')}`,
      of,
    );
  }

  /** How often this connection has looked into clicks and conversations since it last reported to the server. */
  async function looksAtResponses(transaction: Transaction): Promise<number> {
    const [looks] = await rows<{ number: number }>(
      transaction,
      `select sum(seq_scan + coalesce(idx_scan, 0))::int as number
       from pg_stat_xact_user_tables join pg_inherits on relid = inhrelid
       where inhparent in ('click_attribution'::regclass, 'conversation'::regclass)`,
      {},
    );
    return looks?.number ?? NaN;
  }

  it('finding 9: silence is that of live processing, and looks responses up once for all recipients', async () => {
    const ruleId = await silenceRule();
    const { tenantId } = tenant;
    const { campaignId, dispatchId } = await ended(60, 8);
    const others = [(await ended(1, 1)).campaignId, (await ended(1, 1)).campaignId];
    await rows(database, `update broadcast_task set status = 'failed' where campaign_id = any(:others)`, { others });
    await respond([campaignId, ...others], 480);
    const live = await rows<{ contactId: string }>(
      database,
      `select p.contact_id from broadcast_task b join dispatch_recipient p using (dispatch_id, chunk)
       where dispatch_id = :dispatchId and ${withoutResponse({
         tenantId: ':tenantId',
         campaignId: 'b.campaign_id',
         cutOff: `b.finished_at + interval '48 hours'`,
       })} order by b.finished_at, p.contact_id`,
      { tenantId, dispatchId },
    );
    const contactIds = live.map(({ contactId }) => contactId);
    expect(contactIds.length).to.be.within(300, 470);
    const { length } = contactIds;
    expect(await runBacktest(database, tenantId, ruleId)).to.deep.equal({
      events: length,
      contacts: length,
      contactIds,
    });

    const rule = await readRule(database, tenantId, ruleId);
    const now = new Date();
    const within = { period: { from: new Date(now.getTime() - 9 * 86_400_000), to: now }, now, limit: timeLimit() };
    await database.transaction(async (transaction) => {
      const before = await looksAtResponses(transaction);
      await createFoundTable(transaction);
      await findSilent(transaction, tenantId, rule, within);
      // Into partitions, not once for each recipient.
      expect((await looksAtResponses(transaction)) - before).to.be.within(1, 60);
    });
  });

  it('finding 9: reads no further page once its time is over, and says what to do', async () => {
    const matchCondition = { field: 'noticeId', op: 'ne', value: 'n7' } as const;
    const ruleId = await seedRule(database, tenant.tenantId, { targetTagId, matchCondition });
    await clicked(3500, 3500);
    let looks = 0;
    // Looks before the lock, the events, their kinds and the first page.
    const limit = { leftMs: () => (++looks <= 4 ? 50_000 : 0) };
    const seen = await watched(async () => {
      const outcome = await outcomeOf(runBacktest(database, tenant.tenantId, ruleId, { limit }));
      expect(outcome).to.include({ code: 'too_large' });
      expect((outcome as Error).message).to.equal('The backtest did not end within 50 s; choose a shorter period');
    });
    expect(seen.pages).to.be.at.most(1 + 1);
  });

  it('finding 9: a statement that would outlast its time is cancelled, and nothing goes on in the database', async () => {
    const ruleId = await silenceRule();
    await ended(1, 3);
    const { tenantId } = tenant;
    await whileLocked('dispatch_recipient', async (locker) => {
      const limit = { leftMs: () => 400 };
      const outcome = await outcomeOf(runBacktest(database, tenantId, ruleId, { limit }));
      expect(outcome).to.include({ code: 'too_large' });
      const left = await rows(
        locker,
        `select query from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
           and pid <> pg_backend_pid() and xact_start is not null`,
        {},
      );
      expect(left).to.deep.equal([]);
    });
    // Neither the lock nor the limit nor the table is left.
    expect(await runBacktest(database, tenantId, ruleId)).to.include({ events: 3, contacts: 3 });
  });

  it('finding 9: one that is under way keeps others of the tenant from beginning, and nobody else', async () => {
    const other = await seedTenant(database, testEncryption);
    const ours = await silenceRule();
    const theirs = await seedRule(database, other.tenantId, {
      targetTagId: await seedTag(database, other.tenantId),
    });
    await ended(1, 3);
    const first = await whileLocked('dispatch_recipient', async (locker) => {
      const underWay = outcomeOf(runBacktest(database, tenant.tenantId, ours));
      await eventually('the first waits', async () => {
        const waiting = await rows(locker, `select 1 from pg_locks where not granted and locktype = 'relation'`, {});
        return waiting.length === 1;
      });
      const second = await outcomeOf(runBacktest(database, tenant.tenantId, ours));
      expect(second).to.include({ code: 'unavailable', retryAfterSeconds: 10 });
      expect(await runBacktest(database, other.tenantId, theirs)).to.include({ events: 0 });
      return { underWay };
    });
    expect(await first.underWay).to.include({ events: 3 });
    expect(await runBacktest(database, tenant.tenantId, ours)).to.include({ events: 3 });
  });
});
