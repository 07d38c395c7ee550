import { fromBeforeErasure } from '#db/outreach/erasure/erasures.ts';
import type { Encryption } from '#db/encryption.ts';
import type { EventOutcome, StoredEvent } from '#db/outreach/inbox/batch.ts';
import { parseExact } from '#domain/json-text.ts';
import type { EventHandler, Handlers } from './handler.ts';

const erased: EventOutcome = { kind: 'erased' };

function contactIdOf({ payload }: StoredEvent): string | null {
  try {
    const data = parseExact(payload) as { contactId?: unknown } | null;
    return typeof data?.contactId === 'string' ? data.contactId : null;
  } catch {
    return null;
  }
}

function dropping(handle: EventHandler, encryption: Encryption): EventHandler {
  return async (transaction, events, context) => {
    const happenings = events.map((event) => ({ ...event, event, contactIdOf: () => contactIdOf(event) }));
    const dropped = await fromBeforeErasure(transaction, encryption, happenings);
    if (dropped.size === 0) return handle(transaction, events, context);
    const kept = happenings.filter((one) => !dropped.has(one)).map(({ event }) => event);
    const outcomes = (kept.length === 0 ? [] : await handle(transaction, kept, context)).values();
    return happenings.map((one): EventOutcome => {
      if (dropped.has(one)) return erased;
      return outcomes.next().value ?? { kind: 'failed', reason: 'The handler returned no outcome' };
    });
  };
}

/**
 * The same handlers for all events but those of contacts that were erased after they had occurred, however late they
 * arrive and whether or not they are replayed.
 */
export const droppingErased = (handlers: Handlers, encryption: Encryption): Handlers =>
  handlers.map(([types, handle]) => [types, dropping(handle, encryption)] as const);
