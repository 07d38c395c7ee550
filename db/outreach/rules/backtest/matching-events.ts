import { ruleApplies } from '../../../../domain/rules/smart-rule.ts';
import { type EventTrigger, eventTriggers } from '../../../../domain/rules/triggers.ts';
import { firstRow, rows, type Transaction } from '../../../database.ts';
import { literalsOf } from '../../sql-fragments.ts';
import { findOccurrences, type HandledEvent } from '../occurrences.ts';
import type { RuleRecord } from '../rules.ts';
import { addFound } from './found-contacts.ts';
import type { Period } from './period.ts';
import { shareTimeLeft, type TimeLimit } from './time-limit.ts';

const eventsAtOnce = 1000;

/** Those of `findOccurrences`, one that reads the events and one that adds the contacts. */
const statementsPerPage = 5;

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
  { period: { from, to }, limit }: { period: Period; limit: TimeLimit },
): AsyncGenerator<HandledEvent[]> {
  let after: Position | null = null;
  for (;;) {
    await shareTimeLeft(transaction, limit, statementsPerPage);
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

/** Puts the contacts of the events to which the rule applies into the table `found_contact`. */
export async function findInEvents(
  transaction: Transaction,
  tenantId: string,
  rule: RuleRecord & { triggerEvent: EventTrigger },
  within: { period: Period; limit: TimeLimit },
): Promise<void> {
  const scope = { ...rule, serviceNumberId: await serviceNumberOf(transaction, rule) };
  let matching = 0;
  for await (const events of handledEvents(transaction, tenantId, rule.triggerEvent, within)) {
    const occurrences = await findOccurrences(transaction, rule.triggerEvent, events);
    const contactIds = occurrences.filter((found) => ruleApplies(scope, found)).map(({ contactId }) => contactId);
    if (contactIds.length > 0) await addFound(transaction, { contactIds, before: matching });
    matching += contactIds.length;
  }
}
