import type { Database, Transaction } from '../../../db/database.ts';
import {
  type EventOutcome,
  type SettledEvent,
  settleEvents,
  type StoredEvent,
  takeDueEvents,
} from '../../../db/outreach/inbox/batch.ts';
import type { HandledEventType } from '../../../domain/api/events.ts';
import type { BatchContext, EventHandler } from './handlers/handler.ts';

const BATCH_SIZE = 500;

/** Not the event's fault: the whole batch is rolled back and tried again. Classes of SQLSTATE, and lost connections. */
function isPassing(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  // Connection, resources, shutdown; deadlock and serialisation; lock not available; query cancelled.
  return /^(08|53|57|58|40)/.test(code) || code === '55P03' || /^E[A-Z]+$/.test(code);
}

/** Operators read it: of a refused statement only what the database says, which knex appends to the statement. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const isStatement = /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown } | null)?.code ?? ''));
  return isStatement ? (message.split(' - ').at(-1) ?? message) : message;
}

/** Under a savepoint; where that fails, in halves, so that only the event at fault becomes `failed`. */
async function attempt(
  transaction: Transaction,
  events: StoredEvent[],
  handle: EventHandler,
  context: BatchContext,
): Promise<EventOutcome[]> {
  try {
    const seen = new Map(context.polls);
    const outcomes = await transaction.transaction((savepoint) =>
      handle(savepoint as Transaction, events, { ...context, polls: seen }),
    );
    for (const [campaignId, campaign] of seen) context.polls.set(campaignId, campaign);
    return outcomes;
  } catch (error) {
    if (isPassing(error)) throw error;
    if (events.length === 1) return [{ kind: 'failed', reason: reasonOf(error) }];
    const middle = Math.ceil(events.length / 2);
    return [
      ...(await attempt(transaction, events.slice(0, middle), handle, context)),
      ...(await attempt(transaction, events.slice(middle), handle, context)),
    ];
  }
}

/** What one batch did. */
export interface BatchResult {
  taken: number;
  failed: SettledEvent[];
  polls: BatchContext['polls'];
}

/** Handles at most 500 due events of the partition in one transaction, fair by tenant. */
export function handleBatch(
  database: Database,
  partition: number,
  handlers: [HandledEventType[], EventHandler][],
  now: Date,
): Promise<BatchResult> {
  const context: BatchContext = { now, polls: new Map() };
  return database.transaction(async (transaction) => {
    const events = await takeDueEvents(transaction, { partition, limit: BATCH_SIZE });
    const settled: SettledEvent[] = [];
    for (const [types, handle] of handlers) {
      const group = events.filter(({ eventType }) => types.includes(eventType));
      if (group.length === 0) continue;
      const outcomes = await attempt(transaction, group, handle, context);
      for (const [index, event] of group.entries()) {
        const outcome = outcomes[index] ?? { kind: 'failed', reason: 'The handler gave no outcome' };
        settled.push({ event, outcome });
      }
    }
    await settleEvents(transaction, settled);
    const failed = settled.filter(({ outcome }) => outcome.kind === 'failed');
    return { taken: events.length, failed, polls: context.polls };
  });
}
