import { randomBytes } from 'node:crypto';
import type { Backtest } from '#domain/api/rules.ts';
import { fieldsOf } from '#domain/rules/match-condition.ts';
import { ruleApplies, type RuleScope } from '#domain/rules/smart-rule.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { findOccurrences, type HandledEvent } from '../occurrences.ts';
import { kindOf } from './event-kinds.ts';
import { MEMORY, NAMED_CONTACTS } from './found-contacts.ts';
import { eventOrder, handledEvents } from './handled-events.ts';
import type { Period } from './period.ts';
import { shareTimeLeft, type TimeLimit } from './time-limit.ts';

const kindsAtOnce = 1000;

/** Those of `findOccurrences`, one that reads the kinds and one that stores which of them match. */
const statementsPerPage = 5;

/** A rule that events trigger. */
export type EventRule = RuleScope & { triggerEvent: EventTrigger };

/**
 * Reading a million payloads is what takes the time: without these costs the planner thinks that it is to hand over the
 * rows, and lets one process read them all.
 */
const inParallel = 'set local parallel_tuple_cost = 0.001; set local jit = off';

/**
 * SQL: keeps a subquery apart, so that a payload is parsed once and not for each field. Typed, because PostgreSQL decides
 * before it folds constants whether the query around may run in the workers too: it takes the conversion of a plain 0
 * for a real offset, and then one process makes all the kinds.
 */
const KEPT_APART = `offset bigint '0'`;

/**
 * Creates the tables `found_event`, with the contact and the kind of each event, `found_kind`, with one event of each
 * kind, and the empty `matching_kind`. A kind is a hash, of its integration too, whose seed nobody knows. From then on the transaction can write
 * to temporary tables only.
 */
async function createTables(
  transaction: Transaction,
  tenantId: string,
  { triggerEvent: trigger, matchCondition }: EventRule,
  { period: { from, to }, limit }: { period: Period; limit: TimeLimit },
): Promise<void> {
  const { joins, contactId, columns } = kindOf(trigger, fieldsOf(matchCondition));
  await transaction.raw(`set local work_mem = '${MEMORY}'; ${inParallel}`);
  await shareTimeLeft(transaction, limit, 2);
  await rows(
    transaction,
    `create temporary table found_event on commit drop as
     select hash_record_extended(row(tenant_integration_id, ${columns.join(', ')}), :seed::bigint) as kind,
       (${contactId}) collate "C" as contact_id, ${eventOrder}
     from (select ${eventOrder}, received_at, service_number_id, payload::jsonb as data
       from event_inbox where ${handledEvents} ${KEPT_APART}) e ${joins}`,
    { tenantId, trigger, from, to, seed: randomBytes(8).readBigInt64BE().toString() },
  );
  await shareTimeLeft(transaction, limit, 2);
  await transaction.raw(
    `create temporary table found_kind (kind bigint primary key, tenant_integration_id text not null, event_id text not null)
       on commit drop;
     insert into found_kind select kind, min(tenant_integration_id collate "C"), min(event_id collate "C")
       from found_event group by kind;
     create temporary table matching_kind (kind bigint not null) on commit drop;
     set transaction read only`,
  );
}

/** One event of each kind, `kindsAtOnce` at a time; the kind takes the place of its id. */
async function* eventOfEachKind(transaction: Transaction, limit: TimeLimit): AsyncGenerator<HandledEvent[]> {
  let after: string | null = null;
  for (;;) {
    await shareTimeLeft(transaction, limit, statementsPerPage);
    const page: HandledEvent[] = await rows<HandledEvent>(
      transaction,
      `select k.kind::text as event_id, e.* from (
         select * from found_kind ${after === null ? '' : 'where kind > :after::bigint'} order by kind limit :kindsAtOnce) k
       cross join lateral (
         select tenant_id, service_number_id, payload, received_at from event_inbox
         where tenant_integration_id = k.tenant_integration_id and event_id = k.event_id offset 0) e
       order by k.kind`,
      { kindsAtOnce, ...(after !== null && { after }) },
    );
    if (page.length > 0) yield page;
    after = page.at(-1)?.eventId ?? null;
    if (page.length < kindsAtOnce) return;
  }
}

/** Contacts that were found at the same moment are in the order of their events. If every kind matches, nothing is joined. */
const readMatching = (everyKind: boolean) => `
  with matching as not materialized (
    select * from found_event ${everyKind ? '' : 'where kind in (select kind from matching_kind)'}),
  contacts as materialized (
    select contact_id, count(*) as events, min(occurred_at) as occurred_at from matching group by contact_id),
  last_named as (
    select max(occurred_at) as at
    from (select occurred_at from contacts order by occurred_at limit ${NAMED_CONTACTS}) earliest),
  named as (
    select distinct on (contact_id) contact_id, ${eventOrder} from matching
    where occurred_at <= (select at from last_named) order by contact_id, ${eventOrder})
  select coalesce(sum(events), 0)::bigint as events, count(*) as contacts,
    array(select contact_id from named order by ${eventOrder} limit ${NAMED_CONTACTS}) as contact_ids
  from contacts`;

/**
 * The contacts of the events to which the rule applies. Only one event of each kind is looked at; PostgreSQL counts the
 * others.
 */
export async function findByKind(
  transaction: Transaction,
  tenantId: string,
  rule: EventRule,
  within: { period: Period; limit: TimeLimit },
): Promise<Backtest> {
  await createTables(transaction, tenantId, rule, within);
  let everyKind = true;
  for await (const events of eventOfEachKind(transaction, within.limit)) {
    const occurrences = await findOccurrences(transaction, rule.triggerEvent, events);
    const matching = occurrences.filter((found) => ruleApplies(rule, found)).map(({ eventId }) => eventId);
    everyKind &&= matching.length === events.length;
    if (matching.length > 0)
      await rows(transaction, 'insert into matching_kind select unnest(:matching::bigint[])', { matching });
  }
  await shareTimeLeft(transaction, within.limit, 1);
  const found = await firstRow<Backtest>(transaction, readMatching(everyKind), {});
  return found ?? { events: 0, contacts: 0, contactIds: [] };
}
