import { expect } from 'chai';
import type { InboxKind } from '#domain/api/inbox.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { rows } from '#db/database.ts';
import { presentInboxKind } from '#api/backend/routes/inbox/present.ts';
import { type InboxFilter, listInboxEvents, summariseInbox } from './list.ts';
import { replayKind } from '#commands/outreach/inbox/replay-kind.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';

const EVENTS = 20_000;
const OPEN = 1000;

/** All open events come after the processed ones: a list that searched for them by time would read everything. */
const fill = `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload,
    occurred_at, received_at, status, waiting_for, error, contact_id, campaign_id)
  select :tenantIntegrationId, 'e-' || n, :tenantId, case n % 3 when 0 then 'session.created' else 'notice.clicked' end, 0, '{}',
    now(), now() - n * interval '1 second', status,
    case when status = 'stored' then (array['task', 'session'])[1 + n % 2] || ':t-' || n end,
    case when status = 'failed' then case n % 4 when 0 then 'Odd' when 1 then repeat('長', 1000)
      else 'There was no task:t-' || n || ' within 24 hours' end end,
    'c-' || n % 1000, case when n % 100 = 7 then 'k-1' end
  from (select n, case when n <= :events::int - :open::int then 'processed' when n % 2 = 0 then 'stored' else 'failed' end as status
    from generate_series(1, :events::int) n) drawn`;

describe('the lists of the event inbox', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });
  let tenant: TestTenant;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
    await rows(database, fill, { ...tenant, events: EVENTS, open: OPEN });
    await test.connect('outreach', 'owner').raw('analyze event_inbox');
  });

  /** Computed from the rows: without ids, and only the first 400 characters of a long reason. */
  const counted = async (): Promise<InboxKind[]> => {
    const found = await rows<Omit<InboxKind, 'oldestReceivedAt'> & { oldest: Date }>(
      database,
      `select status, event_type, split_part(waiting_for, ':', 1) as waiting_for,
         left(regexp_replace(error, 'task:t-[0-9]+', 'task'), 400) as reason, count(*) as count, min(received_at) as oldest
       from event_inbox where tenant_id = :tenantId and status in ('stored', 'failed')
       group by 1, 2, 3, 4 order by count(*) desc, 1, 2, 3, 4`,
      { tenantId: tenant.tenantId },
    );
    return found.map(({ oldest, ...kind }) => ({ ...kind, oldestReceivedAt: oldest.toISOString() }));
  };

  it('sum up what is not processed exactly as its rows do', async () => {
    const summary = (await summariseInbox(database, tenant.tenantId)).map(presentInboxKind);
    expect(summary).to.deep.equal(await counted());
    expect(summary.reduce((sum, { count }) => sum + count, 0)).to.equal(OPEN);
  });

  it('find each kind that the summary names', async () => {
    for (const { status, eventType, reason, count } of await counted()) {
      if (reason === null) continue;
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const filter = { limit: 200, cursor, status, reason, eventType };
        const page = await listInboxEvents(database, tenant.tenantId, filter);
        found.push(...page.items.map(({ eventId }) => eventId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(new Set(found).size, `${eventType} ${reason}`).to.equal(count);
    }
  });

  it('find the events of a contact and of a campaign, a page at a time', async () => {
    const all = async (filter: Omit<InboxFilter, 'limit'>) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listInboxEvents(database, tenant.tenantId, { limit: 7, ...filter, cursor });
        found.push(...page.items.map(({ eventId }) => eventId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    };
    const numbers = Array.from({ length: EVENTS }, (_, n) => n + 1);
    const named = (holds: (n: number) => boolean) => numbers.filter(holds).map((n) => `e-${n}`);
    expect(await all({ q: 'c-17' })).to.deep.equal(named((n) => n % 1000 === 17));
    expect(await all({ q: 'e-17' })).to.deep.equal(['e-17']);
    expect(await all({ campaignId: 'k-1' })).to.deep.equal(named((n) => n % 100 === 7));
    expect(await all({ campaignId: 'k-1', q: 'c-107' })).to.deep.equal(named((n) => n % 1000 === 107));
  });

  it('read what they show or what is open, never everything', async () => {
    const filters: Omit<InboxFilter, 'limit'>[] = [
      {},
      { eventId: 'e-19000' },
      { eventId: 'e-12', status: 'processed' },
      { eventId: 'never' },
      { q: 'e-19000' },
      { q: 'c-17' },
      { q: 'c-17', status: 'processed' },
      { q: 'never' },
      { campaignId: 'k-1' },
      { campaignId: 'k-1', status: 'failed' },
      { campaignId: 'k-1', eventType: 'notice.clicked', status: 'processed' },
      { campaignId: 'never' },
      { status: 'stored' },
      { status: 'failed' },
      { status: 'stored', eventType: 'notice.clicked' },
      { status: 'failed', eventType: 'notice.clicked' },
      { waiting: 'true' },
      { waiting: 'false' },
      { eventType: 'contact.entered' },
      { eventType: 'contact.entered', status: 'processed' },
      { eventType: 'session.created', status: 'failed' },
      { eventType: 'notice.clicked', reason: 'Odd' },
      { eventType: 'notice.clicked', reason: 'Never' },
    ];
    for (const filter of filters) {
      const read = await rowsRead(database, ['event_inbox'], (transaction) =>
        listInboxEvents(transaction, tenant.tenantId, { limit: 50, ...filter }),
      );
      expect(read.scanned, JSON.stringify(filter)).to.equal(0);
      const isOpen = filter.status === 'stored' || filter.status === 'failed' || filter.waiting || filter.reason;
      // A page of a campaign's events reads at most as many again.
      const shown = filter.campaignId === undefined ? 51 : 2 * 51;
      expect(read.fetched, JSON.stringify(filter)).to.be.at.most(isOpen ? OPEN : shown);
    }
    const read = await rowsRead(database, ['event_inbox'], (transaction) =>
      summariseInbox(transaction, tenant.tenantId),
    );
    expect(read.scanned, 'summary').to.equal(0);
    expect(read.fetched, 'summary').to.be.at.most(OPEN);
  });

  it('allow replaying a kind by its reason as shown in the summary, however long it is', async () => {
    const author = { tenantId: tenant.tenantId, userId: 'u1', requestId: 'r1' };
    const long = (await counted()).find(
      ({ reason, eventType }) => reason?.startsWith('長') && eventType === 'notice.clicked',
    );
    const kind = { eventType: 'notice.clicked', reason: long?.reason ?? '' };
    const { replayed, left } = await replayKind(database, author, kind);
    expect([replayed, left]).to.deep.equal([long?.count, 0]);
  });
});
