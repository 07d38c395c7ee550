import type { Backtest } from '#domain/api/rules.ts';
import { ruleApplies } from '#domain/rules/smart-rule.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { rows, type Transaction } from '#db/database.ts';
import { findOccurrences, type HandledEvent } from '../occurrences.ts';
import { addFound, createFoundTable, readFound } from './found-contacts.ts';
import { eventOrder, handledEvents } from './handled-events.ts';
import type { EventRule } from './matching-kinds.ts';
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
async function* pagesOfEvents(
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
       where ${handledEvents}
         ${after ? `and (${eventOrder}) > (:at::timestamptz, :integrationId, :eventId)` : ''}
       order by ${eventOrder} limit :limit`,
      { tenantId, trigger, from, to, limit: eventsAtOnce, ...after },
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < eventsAtOnce) return;
    after = { at: last.at, integrationId: last.integrationId, eventId: last.eventId };
  }
}

/** The same as `findByKind`, by looking at each event: however strange its payload is. */
export async function findOneByOne(
  transaction: Transaction,
  tenantId: string,
  rule: EventRule,
  within: { period: Period; limit: TimeLimit },
): Promise<Backtest> {
  await createFoundTable(transaction);
  let matching = 0;
  for await (const events of pagesOfEvents(transaction, tenantId, rule.triggerEvent, within)) {
    const occurrences = await findOccurrences(transaction, rule.triggerEvent, events);
    const contactIds = occurrences.filter((found) => ruleApplies(rule, found)).map(({ contactId }) => contactId);
    if (contactIds.length > 0) await addFound(transaction, { contactIds, before: matching });
    matching += contactIds.length;
  }
  await shareTimeLeft(transaction, within.limit, 1);
  return await readFound(transaction);
}
