import type { Database, Transaction } from '#db/database.ts';
import { isStatementError, isTransient, sqlStateOf } from '#db/errors.ts';
import {
  type EventOutcome,
  type SettledEvent,
  settleEvents,
  type StoredEvent,
  takeDueEvents,
} from '#db/outreach/inbox/batch.ts';
import type { GivenTag } from '#db/outreach/rules/application.ts';
import { REFUSED_BY_DATABASE } from '#domain/event-errors.ts';
import { bisect } from '#domain/bisect.ts';
import type { BatchContext, EventHandler, Handlers } from './handlers/handler.ts';

/** Events of a full batch: more may be due. */
export const BATCH_SIZE = 500;

/** Payload of a batch: parsed it takes several times the memory, and what does not fit would not fit again. */
const BATCH_BYTES = 8 * 1_048_576;

/** Of a failed statement its SQLSTATE, for words of an operator, and the database's message, which knex appends to the statement. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!isStatementError(error)) return message;
  return `${REFUSED_BY_DATABASE} (${sqlStateOf(error)}): ${message.split(' - ').at(-1) ?? message}`;
}

/** Handles events under a savepoint; if that fails, only the events at fault become `failed`. */
function attempt(
  transaction: Transaction,
  events: StoredEvent[],
  handle: EventHandler,
  context: BatchContext,
): Promise<EventOutcome[]> {
  return bisect<StoredEvent, EventOutcome>(events, {
    run: async (some) => {
      const seen = new Map(context.polls);
      const given: GivenTag[] = [];
      const outcomes = await transaction.transaction((savepoint) =>
        handle(savepoint as Transaction, [...some], { ...context, polls: seen, given }),
      );
      context.given.push(...given);
      for (const [campaignId, campaign] of seen) context.polls.set(campaignId, campaign);
      return outcomes;
    },
    mayBeOneItem: (error) => !isTransient(error),
    fail: (error) => {
      // No event is at fault: the whole batch is rolled back and retried.
      if (isTransient(error)) throw error;
      return [{ kind: 'failed', reason: reasonOf(error) }];
    },
  });
}

/** The result of one batch. */
export interface BatchResult {
  taken: number;
  failed: SettledEvent[];
  polls: BatchContext['polls'];
  /** Of those that have a place in a trace. */
  traced: SettledEvent[];
  given: GivenTag[];
}

/** Handles at most 500 events that are due `now`, or about 8 MiB, of the partition in one transaction, fair by tenant. */
export function handleBatch(
  database: Database,
  partition: number,
  handlers: Handlers,
  now: Date,
  clicksKeptSince = new Date(0),
): Promise<BatchResult> {
  const context: BatchContext = { now, clicksKeptSince, polls: new Map(), given: [] };
  return database.transaction(async (transaction) => {
    const events = await takeDueEvents(transaction, { partition, limit: BATCH_SIZE, bytes: BATCH_BYTES, now });
    const settled: SettledEvent[] = [];
    for (const [types, handle] of handlers) {
      const group = events.filter(({ eventType }) => types.includes(eventType));
      if (group.length === 0) continue;
      const outcomes = await attempt(transaction, group, handle, context);
      for (const [index, event] of group.entries()) {
        const outcome = outcomes[index] ?? { kind: 'failed', reason: 'The handler returned no outcome' };
        settled.push({ event, outcome });
      }
    }
    await settleEvents(transaction, settled, now);
    const failed = settled.filter(({ outcome }) => outcome.kind === 'failed');
    const traced = settled.filter(({ event }) => event.traceParent !== null);
    return { taken: events.length, failed, polls: context.polls, traced, given: context.given };
  });
}
