import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { MatchCondition } from '#domain/rules/match-condition.ts';
import { type EventTrigger, eventTriggers, triggerFields } from '#domain/rules/triggers.ts';
import { isNumberField, numberOps, textOps } from '#domain/rules/condition-fields.ts';
import { rows } from '#db/database.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { type EventRule, findByKind } from './matching-kinds.ts';
import { findOneByOne } from './single-events.ts';
import { timeLimit } from './time-limit.ts';

const EVENTS = 1500;
const RULES = 30;
const BEGIN = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;

const small = (prefix: string, count: number) => fc.nat(count - 1).map((n) => `${prefix}${n}`);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const serviceNumber = fc.constantFrom('sn-1', 'sn-1', 'sn-2');
const code = fc.constantFrom('buy', 'browse', '購買', '12345678901234567890');
const url = fc.constantFrom('https://shop.example/more', 'https://shop.example/other');

/** Of sub-tasks 0 and 1 the platform gave the same id, and to a test send too; the last one is unknown. */
const taskId = fc.constantFrom('task-a', 'task-b', 'reused', 'reused', 'tested', 'nobody');

function clickData(keys: string[]) {
  const named = fc.record(
    {
      bizEventCode: code,
      subTaskKey: fc.constantFrom(...keys, 'test-1', 'unknown'),
      messageIndex: fc.nat(1),
      sourceId: small('source', 2),
    },
    { requiredKeys: [] },
  );
  const data = fc.oneof(
    named,
    named.map((value) => JSON.stringify(value)),
    fc.constant('no JSON'),
    fc.constant(null),
  );
  return fc.record(
    {
      taskId,
      noticeId: small('n', 5),
      actionIndex: fc.nat(2),
      action: fc.record(
        { type: fc.constantFrom('Postback', 'Url'), data, url: fc.option(url) },
        { requiredKeys: ['type'] },
      ),
      contactId: small('c', 30),
      serviceNumberId: fc.option(serviceNumber),
      clickedAt: fc.constant('2026-01-01T00:00:00.000Z'),
    },
    { requiredKeys: ['taskId', 'noticeId', 'actionIndex', 'action', 'contactId', 'clickedAt'] },
  );
}

const sessionId = small('s', 40);
const dataOf = (keys: string[]): Record<EventTrigger, fc.Arbitrary<object>> => ({
  'notice.clicked': clickData(keys),
  'session.created': fc.record(
    {
      sessionId,
      sourceId: fc.option(small('source', 2)),
      contactId: small('c', 30),
      entryReason: fc.option(fc.record({ id: fc.option(small('reason', 3)) }, { requiredKeys: [] })),
    },
    { requiredKeys: ['sessionId', 'contactId'] },
  ),
  'session.closed': fc.record(
    {
      sessionId,
      sourceId: fc.option(small('source', 2)),
      closedAt: fc.constant('2026-01-01T00:00:00.000Z'),
      summary: fc.record({ duration: fc.constantFrom(0, 1.5, 2, 60), messageCount: fc.nat(3) }),
    },
    { requiredKeys: ['sessionId', 'closedAt', 'summary'] },
  ),
});

const values: Partial<Record<string, fc.Arbitrary<string>>> = {
  bizEventCode: code,
  actionType: fc.constantFrom('Postback', 'Url'),
  url,
  noticeId: small('n', 5),
  serviceNumberId: serviceNumber,
  entryReasonId: small('reason', 3),
  sourceId: small('source', 2),
};

function conditionOn(trigger: EventTrigger, campaignIds: string[]): fc.Arbitrary<MatchCondition> {
  const comparison = fc.constantFrom(...triggerFields[trigger]).chain((field): fc.Arbitrary<unknown> => {
    const number = fc.constantFrom(0, 1, 1.5, 2, 60);
    if (isNumberField(field))
      return fc.record({ field: fc.constant(field), op: fc.constantFrom(...numberOps), value: number });
    const value = values[field] ?? fc.constantFrom(...campaignIds);
    return fc.oneof(
      fc.record({ field: fc.constant(field), op: fc.constantFrom(...textOps), value }),
      fc.record({ field: fc.constant(field), op: fc.constant('in'), value: fc.array(value, { maxLength: 3 }) }),
    );
  }) as fc.Arbitrary<MatchCondition>;
  const parts = fc.array(comparison, { maxLength: 3 });
  return fc.oneof(
    comparison,
    fc.record({ all: parts }),
    fc.record({ any: parts }),
    fc.record({ not: fc.record({ any: parts }) }),
  );
}

describe('a backtest that looks at one event of each kind', () => {
  const db = useDatabase('outreach');
  let tenant: TestTenant;
  let campaignIds: string[];
  let keys: string[];

  /** Sub-tasks that got their ids at different times, one of which was used again, also by a test send. */
  async function seedTasks(): Promise<void> {
    const sends = [
      await seedSend(db, tenant.tenantId, { chunks: [1, 1, 1] }),
      await seedSend(db, tenant.tenantId, { chunks: [1] }),
    ];
    campaignIds = sends.map(({ campaignId }) => campaignId);
    keys = sends.flatMap((send) => send.keys);
    await rows(
      db,
      `update broadcast_task t set task_id = g.task_id, status = 'completed', submitted_at = :begin::timestamptz + g.hours * interval '1 hour'
       from unnest(:keys::text[], array['task-a', 'reused', null, 'reused'], array[0, 2, 3, 6]) as g(key, task_id, hours) where t.key = g.key`,
      { keys, begin: new Date(BEGIN) },
    );
    await rows(
      db,
      `insert into test_send (key, tenant_id, campaign_id, task_id, created_at)
       select 'test-' || task_id, :tenantId, :campaignId, task_id, :begin::timestamptz + interval '9 hours'
       from unnest(array['reused', 'tested']) as g(task_id)`,
      { tenantId: tenant.tenantId, campaignId: campaignIds[0], begin: new Date(BEGIN) },
    );
  }

  async function seedConversations(): Promise<void> {
    await rows(
      db,
      `insert into conversation (tenant_id, session_id, campaign_id, contact_id, service_number_id, source_id, opened_at)
       select :tenantId, 's' || n, (:campaignIds::text[])[n % 3 + 1],
         case when n % 7 = 0 then 'erased:' || gen_random_uuid() else 'c' || n % 9 end,
         (array['sn-1', 'sn-2', null])[n % 3 + 1], (array['source0', null])[n % 2 + 1], now() from generate_series(0, 35) as n`,
      { tenantId: tenant.tenantId, campaignIds },
    );
  }

  /** Several events occur at the same moment, and two integrations use the same ids. */
  async function seedEvents(trigger: EventTrigger): Promise<void> {
    const event = fc.record({
      data: dataOf(keys)[trigger],
      scope: maybe(serviceNumber),
      hour: fc.nat(12),
      second: fc.boolean(),
    });
    const events = fc.sample(event, { numRuns: EVENTS, seed: 16 });
    const other = `ti-${randomUUID()}`;
    await rows(
      db,
      `insert into tenant_integration (tenant_integration_id, tenant_id, webhook_url, status)
       values (:other, :tenantId, 'http://bff.example/webhook', 'UNINSTALLED')`,
      { other, tenantId: tenant.tenantId },
    );
    const { tenantIntegrationId, tenantId } = tenant;
    await rows(
      db,
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition, payload,
         occurred_at, received_at, status)
       select integration, trigger || n / 2, :tenantId, trigger, scope, 0, payload, at, at, 'processed'
       from unnest(:integrations::text[], :payloads::text[], :scopes::text[], :times::timestamptz[])
         with ordinality as g(integration, payload, scope, at, n) cross join (select :trigger::text as trigger) t
       on conflict do nothing`,
      {
        tenantId,
        trigger,
        integrations: events.map(({ second }) => (second ? other : tenantIntegrationId)),
        payloads: events.map(({ data }) => JSON.stringify(data)),
        scopes: events.map(({ scope }) => scope ?? null),
        times: events.map(({ hour }) => new Date(BEGIN + hour * HOUR_MS + HOUR_MS / 2)),
      },
    );
  }

  before(async () => {
    tenant = await seedTenant(db, testEncryption);
    await seedTasks();
    await seedConversations();
    for (const trigger of eventTriggers) await seedEvents(trigger);
  });

  const within = () => ({
    period: { from: new Date(BEGIN + HOUR_MS), to: new Date(BEGIN + 12 * HOUR_MS) },
    limit: timeLimit(),
  });
  const found = (find: typeof findByKind, rule: EventRule) =>
    db.transaction((transaction) => find(transaction, tenant.tenantId, rule, within()));

  for (const triggerEvent of eventTriggers) {
    it(`finds what looking at each event finds: ${triggerEvent}`, async () => {
      const rule = fc.record({
        triggerEvent: fc.constant(triggerEvent),
        serviceNumberId: serviceNumber,
        campaignId: fc.constantFrom(null, null, ...campaignIds),
        matchCondition: conditionOn(triggerEvent, campaignIds),
      });
      let matched = 0;
      await fc.assert(
        fc.asyncProperty(rule, async (drawn) => {
          const byKind = await found(findByKind, drawn);
          expect(byKind).to.deep.equal(await found(findOneByOne, drawn));
          matched += Number(byKind.contacts > 0);
        }),
        { numRuns: RULES, seed: 16 },
      );
      expect(matched, 'rules that apply to some').to.be.at.least(RULES / 4);
    });
  }

  it('makes the kinds of clicks in all processes that read them, not in the one that stores them', async () => {
    const rule = { serviceNumberId: 'sn-1', campaignId: null, matchCondition: { all: [] } };
    const seen: { sql: string; bindings: string[] }[] = [];
    const note = (query: { sql: string; bindings: string[] }) => void seen.push(query);
    db.on('query', note);
    await db.transaction((t) => findByKind(t, tenant.tenantId, { ...rule, triggerEvent: 'notice.clicked' }, within()));
    db.removeListener('query', note);
    const stores = seen.filter(({ sql }) => sql.includes('create temporary table found_event'));
    expect(stores).to.have.length(1);
    const [{ sql, bindings } = { sql: '', bindings: [] }] = stores;
    const [plan] = await db.transaction(async (transaction) => {
      // Puts a Gather on top of whatever may run in workers as a whole, however few rows there are.
      await transaction.raw('set local debug_parallel_query = on');
      const explained: unknown = await transaction.raw(`explain ${sql.replaceAll(/\$\d+/g, '?')}`, bindings);
      return (explained as { rows: { 'QUERY PLAN': string }[] }).rows;
    });
    expect(plan?.['QUERY PLAN'], 'the outermost step').to.match(/^Gather /);
  });
});
