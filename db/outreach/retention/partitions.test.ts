import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { moveSend } from '#test/support/outreach/earlier-send.ts';
import { seedSend, seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { rows, type Transaction } from '#db/database.ts';
import { type AttributedClick, storeClicks } from '../clicks/attribution.ts';
import { type OpenedConversation, storeConversations } from '../clicks/conversations.ts';
import { readResults } from '../clicks/results.ts';
import { isTurnOfMonth, storeEvents } from '../inbox/intake.ts';
import { addMonths, dropMonth, endedMonths, partitionedTables, type PartitionedTable } from './partitions.ts';

describe('A15: tables that are partitioned by month', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  const january = new Date('2020-01-15T12:00:00Z');
  const february = new Date('2020-02-15T12:00:00Z');
  const tables = Object.keys(partitionedTables) as PartitionedTable[];

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
    await addMonths(database, january);
  });

  const partitionOf = async (table: string, where: Record<string, unknown>): Promise<string> => {
    const row = await database(table).where(where).first(database.raw('tableoid::regclass::text as partition'));
    return row.partition;
  };
  const event = (eventId: string) => ({
    tenantIntegrationId: tenant.tenantIntegrationId,
    eventId,
    eventType: 'contact.updated' as const,
    occurredAt: january.toISOString(),
    serviceNumberId: 'sn-1',
    payload: '{}',
  });

  it('get the partitions of this month and the next two, once, also by several processes at once', async () => {
    const now = new Date('2021-06-10T00:00:00Z');
    const runs = await Promise.all([addMonths(database, now), addMonths(database, now), addMonths(database, now)]);
    expect(runs.flat().toSorted()).to.deep.equal(
      tables
        .flatMap((table) => ['2021-06-01', '2021-07-01', '2021-08-01'].map((month) => `${table} ${month}`))
        .toSorted(),
    );
    expect(await addMonths(database, now)).to.deep.equal([]);
  });

  it('have the partition of the month in which they were created', async () => {
    const found = await rows<{ month: string }>(
      database,
      `select right(c.relname, 7) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'event_inbox'::regclass and right(c.relname, 7) >= '2025_01' order by 1`,
      {},
    );
    const created = new Date();
    const months = [0, 1].map((ahead) => new Date(Date.UTC(created.getUTCFullYear(), created.getUTCMonth() + ahead)));
    expect(found.map(({ month }) => month)).to.include.members(
      months.map((month) => month.toISOString().slice(0, 7).replace('-', '_')),
    );
  });

  it('let a service drop only months of theirs that have ended', async () => {
    const outcomes = await Promise.all(
      [
        ['event_inbox', `${new Date().toISOString().slice(0, 7)}-01`],
        ['campaign', '2020-01-01'],
        ['pg_class', '2020-01-01'],
      ].map(([table, month]) =>
        rows(database, 'select drop_month(:table, :month::date)', { table, month }).then(
          () => 'dropped',
          (error: Error) => error.message.split(' - ').at(-1),
        ),
      ),
    );
    expect(outcomes.every((outcome) => outcome?.startsWith('no ended partition of'))).to.equal(true);
  });

  it('recognise an event that was received in an earlier month', async () => {
    expect(await storeEvents(database, [event('known')], 1)).to.deep.equal([{ kind: 'stored', partition: 0 }]);
    await database('event_inbox').where({ event_id: 'known' }).update({ received_at: january });
    expect(await partitionOf('event_inbox', { event_id: 'known' })).to.equal('event_inbox_2020_01');
    expect(await storeEvents(database, [event('known'), event('new'), event('new')], 1)).to.deep.equal([
      { kind: 'duplicate' },
      { kind: 'stored', partition: 0 },
      { kind: 'duplicate' },
    ]);
    expect(await database('event_inbox').where({ event_id: 'known' }).pluck('event_id')).to.have.length(1);
  });

  it('recognise an event that another process stores at the turn of the month', async () => {
    const turn = new Date('2020-01-31T23:58:00Z');
    expect([turn, new Date('2020-02-01T00:04:00Z'), january].map(isTurnOfMonth)).to.deep.equal([true, true, false]);
    const other = await database.transaction();
    await storeEvents(other, [event('turning')], 1, turn);
    await other('event_inbox').where({ event_id: 'turning' }).update({ received_at: turn });
    const second = storeEvents(database, [event('turning')], 1, turn);
    await eventually('the second delivery waits', async () => {
      const waiting = await rows(database, `select 1 from pg_locks where locktype = 'advisory' and not granted`, {});
      return waiting.length > 0;
    });
    await other.commit();
    expect(await second).to.deep.equal([{ kind: 'duplicate' }]);
    expect(await database('event_inbox').where({ event_id: 'turning' }).pluck('event_id')).to.have.length(1);
  });

  const clickOf = (campaignId: string, eventId: string, clickedAt: Date): AttributedClick => ({
    tenantId: tenant.tenantId,
    taskId: `task-${campaignId}`,
    contactId: 'c0-1',
    noticeId: 'n-1',
    arm: null,
    messageCase: null,
    actionIndex: 0,
    messageIndex: 0,
    campaignId,
    bizEventCode: 'buy',
    eventId,
    clickedAt,
  });
  const store = <T>(work: (transaction: Transaction) => Promise<T>) => database.transaction(work);

  it('count a click of another month as a repeat, and a redelivered one not at all', async () => {
    const { campaignId } = await seedSend(database, tenant.tenantId, { chunks: [1] });
    for (const [eventId, at] of [
      ['first', january],
      ['second', february],
      ['first', february],
    ] as const)
      await store((transaction) => storeClicks(transaction, [clickOf(campaignId, eventId, at)], at));
    const found = await database('click_attribution').where({ campaign_id: campaignId }).select('event_id', 'repeats');
    expect(found).to.deep.equal([{ eventId: 'first', repeats: 1 }]);
    expect(await partitionOf('click_attribution', { campaign_id: campaignId })).to.equal('click_attribution_2020_01');
  });

  const conversationOf = (campaignId: string, sessionId: string, openedAt: Date): OpenedConversation => ({
    tenantId: tenant.tenantId,
    sessionId,
    reasonId: campaignId,
    sourceId: null,
    serviceNumberId: 'sn-1',
    contactId: 'c0-1',
    channel: null,
    openedAt,
  });

  it('know a conversation of another month', async () => {
    const { campaignId } = await seedSend(database, tenant.tenantId, { chunks: [1] });
    for (const at of [january, february])
      await store((transaction) => storeConversations(transaction, [conversationOf(campaignId, 'session-1', at)], at));
    expect(await database('conversation').where({ session_id: 'session-1' }).select('opened_at')).to.deep.equal([
      { openedAt: january },
    ]);
  });

  it('drop clicks and conversations, and leave the results of their campaign as they are', async () => {
    const { campaignId } = await seedSend(database, tenant.tenantId, { chunks: [2] });
    await store((transaction) =>
      storeClicks(
        transaction,
        [
          clickOf(campaignId, 'e-1', january),
          { ...clickOf(campaignId, 'e-2', january), contactId: 'c0-2', actionIndex: 1 },
        ],
        january,
      ),
    );
    await store((transaction) =>
      storeConversations(transaction, [conversationOf(campaignId, 'session-2', january)], january),
    );
    const results = () =>
      readResults(database, tenant.tenantId, { id: campaignId, messages: [], messagesBy: null, variants: null });
    const before = await results();
    expect(before?.clicks).to.include({ total: 2, uniqueContacts: 2 });
    const end = new Date('2020-02-01T00:00:00Z');
    for (const table of ['click_attribution', 'conversation'] as const) {
      expect(await endedMonths(database, table, new Date(end.getTime() - 1))).to.deep.equal([]);
      expect(await endedMonths(database, table, end)).to.deep.equal(['2020-01-01']);
      expect(await dropMonth(database, table, { month: '2020-01-01', before: end, now: new Date() })).to.equal(true);
      expect(await database(table).where({ campaign_id: campaignId }).pluck('tenant_id')).to.deep.equal([]);
    }
    expect(await results()).to.deep.equal(before);
  });

  it('keep a month with events that are not handled', async () => {
    await storeEvents(database, [event('open')], 1);
    const received = new Date('2020-03-31T23:59:59.999Z');
    await database('event_inbox').where({ event_id: 'open' }).update({ received_at: received });
    const month = { month: '2020-03-01', before: new Date('2020-04-01T00:00:00Z'), now: new Date() };
    expect(await dropMonth(database, 'event_inbox', month)).to.equal(false);
    await database('event_inbox').where({ event_id: 'open' }).update({ status: 'failed' });
    expect(await dropMonth(database, 'event_inbox', month)).to.equal(true);
    expect(await database('event_inbox').where({ event_id: 'open' }).pluck('event_id')).to.deep.equal([]);
  });

  it('keep the recipients of a month, and the set of whom a send reached, until the youngest of its sends is over and old enough', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [2], status: 'completed' });
    const dispatchId = await moveSend(database, send.dispatchId, february);
    expect(await partitionOf('dispatch_chunk', { dispatch_id: dispatchId })).to.equal('dispatch_chunk_2020_02');
    const before = new Date('2020-03-01T00:00:00Z');
    const drop = () => dropMonth(database, 'dispatch_chunk', { month: '2020-02-01', before, now: before });
    const campaign = (changes: Record<string, unknown>) =>
      database('campaign').where({ campaign_id: send.campaignId }).update(changes);
    const reached = { tenant_id: send.tenantId, campaign_id: send.campaignId, service_number_id: 'sn-1' };
    await database('dispatch_reach').insert({ ...reached, dispatch_id: dispatchId, due_at: february });
    await database('reach_block').insert({ dispatch_id: dispatchId, block: 0, contacts: '1'.padEnd(4096, '0') });
    const blocks = () => database('reach_block').where({ dispatch_id: dispatchId }).pluck('block');
    await campaign({ status: 'paused', pause_reason: 'operator' });
    expect(await drop()).to.equal(false);
    expect(await blocks()).to.have.length(1);
    await campaign({ status: 'completed', pause_reason: null, finished_at: before });
    expect(await drop()).to.equal(false);
    await campaign({ finished_at: february });
    await database('dispatch').where({ dispatch_id: dispatchId }).update({ scheduled_at: before });
    expect(await drop()).to.equal(false);
    await database('dispatch').where({ dispatch_id: dispatchId }).update({ scheduled_at: null });
    expect(await drop()).to.equal(true);
    expect(await blocks()).to.deep.equal([]);
    expect(await database('dispatch_recipient').where({ dispatch_id: dispatchId }).pluck('contact_id')).to.deep.equal(
      [],
    );
    expect(
      await database('dispatch').where({ dispatch_id: dispatchId }).first('recipients_deleted_at', 'audience_count'),
    ).to.deep.equal({ recipientsDeletedAt: before, audienceCount: 2 });
  });
});
