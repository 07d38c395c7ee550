import type { Backtest } from '../../../domain/api/rules.ts';
import { type EventTrigger, eventTriggers, NO_RESPONSE, RULE_HISTORY_DAYS } from '../../../domain/rules/triggers.ts';
import { type FieldError, Problem, invalidField } from '../../../domain/api/problem.ts';
import { keptSince } from '../../../domain/retention.ts';
import { ruleApplies } from '../../../domain/rules/smart-rule.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { literalsOf } from '../sql-fragments.ts';
import { cutOffOf, dueColumns, dueFrom, type DueSubTask, isMeant, withoutResponse } from './no-response.ts';
import { findOccurrences, type HandledEvent } from './occurrences.ts';
import type { RuleRecord } from './rules.ts';

interface Period {
  from: Date;
  to: Date;
}

const namedContacts = 1000;
const eventsAtOnce = 1000;

/** Collects the contacts that a rule would have tagged. */
interface Tally {
  events: number;
  contacts: Set<string>;
}

interface Position {
  at: string;
  integrationId: string;
  eventId: string;
}

/** Handled events of one trigger in the order in which they occurred, `eventsAtOnce` at a time. */
async function* handledEvents(
  transaction: Transaction,
  tenantId: string,
  trigger: EventTrigger,
  { from, to }: Period,
): AsyncGenerator<HandledEvent[]> {
  let after: Position | null = null;
  for (;;) {
    const page: (HandledEvent & Position)[] = await rows<HandledEvent & Position>(
      transaction,
      `select tenant_id, event_id, service_number_id, payload,
         received_at,
         occurred_at::text as at, tenant_integration_id as integration_id
       from event_inbox
       where tenant_id = :tenantId and event_type = :trigger and status = 'processed' and payload <> ''
         and event_type in (${literalsOf(eventTriggers)})
         and occurred_at between :from and :to
         ${after ? 'and (occurred_at, tenant_integration_id, event_id) > (:at::timestamptz, :integrationId, :eventId)' : ''}
       order by occurred_at, tenant_integration_id, event_id limit :limit`,
      { tenantId, trigger, from, to, limit: eventsAtOnce, ...after },
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < eventsAtOnce) return;
    after = { at: last.at, integrationId: last.integrationId, eventId: last.eventId };
  }
}

async function serviceNumberOf(transaction: Transaction, { targetTagId }: RuleRecord): Promise<string> {
  const tag = await firstRow<{ serviceNumberId: string }>(
    transaction,
    'select service_number_id from tag where tag_id = :targetTagId',
    { targetTagId },
  );
  return tag?.serviceNumberId ?? '';
}

async function tallyEvents(
  transaction: Transaction,
  tenantId: string,
  rule: RuleRecord & { triggerEvent: EventTrigger },
  period: Period,
): Promise<Tally> {
  const scope = { ...rule, serviceNumberId: await serviceNumberOf(transaction, rule) };
  const tally: Tally = { events: 0, contacts: new Set() };
  for await (const events of handledEvents(transaction, tenantId, rule.triggerEvent, period)) {
    for (const occurrence of await findOccurrences(transaction, rule.triggerEvent, events)) {
      if (!ruleApplies(scope, occurrence)) continue;
      tally.events += 1;
      tally.contacts.add(occurrence.contactId);
    }
  }
  return tally;
}

/** Contacts whose days were over within the period. */
async function tallyNoResponse(
  transaction: Transaction,
  rule: RuleRecord,
  { from, to }: Period,
  now: Date,
): Promise<Tally> {
  const tasks = await rows<DueSubTask>(
    transaction,
    `select ${dueColumns} from ${dueFrom}
     where r.rule_id = :ruleId and ${cutOffOf('b.finished_at', 'r.days')} between :from and least(:to::timestamptz, :now)
     order by cut_off, b.key`,
    { ruleId: rule.ruleId, from, to, now },
  );
  const tally: Tally = { events: 0, contacts: new Set() };
  for (const { dispatchId, chunk, cutOff, campaignId, tenantId } of tasks.filter(isMeant)) {
    const found = await rows<{ contactId: string }>(
      transaction,
      `select p.contact_id from dispatch_recipient p
       where p.dispatch_id = :dispatchId and p.chunk = :chunk and ${withoutResponse(':cutOff::timestamptz')}
       order by 1`,
      { dispatchId, chunk, cutOff, campaignId, tenantId },
    );
    tally.events += found.length;
    for (const { contactId } of found) tally.contacts.add(contactId);
  }
  return tally;
}

const isEventRule = (rule: RuleRecord): rule is RuleRecord & { triggerEvent: EventTrigger } =>
  rule.triggerEvent !== NO_RESPONSE;

/** @throws Problem `invalid_content` for a period that ends before it begins, or begins before the retained data. */
function assertPeriod({ from, to }: Period, now: Date, days: number): void {
  const reject = (rejected: FieldError) =>
    new Problem('invalid_content', `${rejected.path.slice(1)} ${rejected.message}`, { errors: [rejected] });
  if (from < keptSince(days, now)) throw reject(invalidField('/from', 'no_longer_kept', { days }));
  if (to < from) throw reject(invalidField('/to', 'before_start'));
}

/**
 * The contacts that the rule would have tagged, whether or not it is paused or its tag expired: the same result as
 * live processing of the same events. Reads a single snapshot of the database and changes nothing.
 */
export function backtestRule(
  database: Database,
  tenantId: string,
  rule: RuleRecord,
  period: Period,
  { now, eventsDays }: { now: Date; eventsDays: number },
): Promise<Backtest> {
  assertPeriod(period, now, Math.min(eventsDays, RULE_HISTORY_DAYS));
  return database.transaction(
    async (transaction) => {
      const { events, contacts } = isEventRule(rule)
        ? await tallyEvents(transaction, tenantId, rule, period)
        : await tallyNoResponse(transaction, rule, period, now);
      return { events, contacts: contacts.size, contactIds: [...contacts].slice(0, namedContacts) };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
