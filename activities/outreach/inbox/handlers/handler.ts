import { z } from 'zod';
import type { HandledEventType } from '#domain/api/events.ts';
import { parseExact } from '#domain/json-text.ts';
import type { Transaction } from '#db/database.ts';
import type { EventOutcome, StoredEvent } from '#db/outreach/inbox/batch.ts';
import type { GivenTag } from '#db/outreach/rules/application.ts';
import type { CampaignRef } from '#activities/outreach/deps.ts';

/** Shared by the handlers of a batch. What it collects runs after the batch is committed. */
export interface BatchContext {
  now: Date;
  /** Clicks on sends that were submitted before it are no longer kept. */
  clicksKeptSince: Date;
  /** Campaigns with a task that must be polled immediately, by id. */
  polls: Map<string, CampaignRef>;
  /** Tags that rules gave, for the traces. */
  given: GivenTag[];
}

/**
 * Handles events of one type and returns one outcome each, in order. It runs under its own savepoint: if it throws,
 * everything it wrote is rolled back and the events are retried in smaller groups, down to the one at fault.
 */
export type EventHandler = (
  transaction: Transaction,
  events: StoredEvent[],
  context: BatchContext,
) => Promise<EventOutcome[]>;

/** Handlers by the types of event they take, in the order in which they run. */
export type Handlers = readonly (readonly [readonly HandledEventType[], EventHandler])[];

export const processed: EventOutcome = { kind: 'processed' };

/** A time in an event's data: one later than its receipt counts as that, or a clock that is ahead would leave it in the future. */
export function noLaterThan(receivedAt: Date, written: string): Date {
  const time = new Date(written);
  return time > receivedAt ? receivedAt : time;
}

/** An event with its parsed data. */
export interface ReadEvent<Data> {
  event: StoredEvent;
  data: Data;
}

/** Turns a handler of parsed events into a handler; data that does not match the schema fails, with the place. */
export function withData<Data>(
  schema: z.ZodType<Data>,
  handle: (transaction: Transaction, events: ReadEvent<Data>[], context: BatchContext) => Promise<EventOutcome[]>,
): EventHandler {
  return async (transaction, events, context) => {
    const read = events.map((event) => ({ event, ...parse(schema, event.payload) }));
    const good = read.flatMap(({ event, data }) => (data === undefined ? [] : [{ event, data }]));
    const handled = (good.length === 0 ? [] : await handle(transaction, good, context)).values();
    return read.map(({ data, reason }) =>
      data === undefined ? { kind: 'failed', reason } : (handled.next().value ?? processed),
    );
  };
}

function parse<Data>(schema: z.ZodType<Data>, payload: string): { data: Data | undefined; reason: string } {
  try {
    const result = schema.safeParse(parseExact(payload));
    if (result.success) return { data: result.data, reason: '' };
    const [issue] = result.error.issues;
    return {
      data: undefined,
      reason: `/${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'does not match the schema'}`,
    };
  } catch {
    return { data: undefined, reason: 'The data is not valid JSON' };
  }
}
