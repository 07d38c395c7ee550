import type { InboxEvent, InboxItem, InboxKind } from '#domain/api/inbox.ts';
import { repairedFields } from '#domain/api/events.ts';
import { parseExact } from '#domain/json-text.ts';
import type { InboxKindRecord, InboxRecord } from '#db/outreach/inbox/list.ts';
import type { EventRecord } from '#db/outreach/inbox/replay.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

const nextAttemptOf = ({ status, nextAttemptAt }: Pick<InboxRecord, 'status' | 'nextAttemptAt'>): string | null =>
  status === 'stored' ? nextAttemptAt.toISOString() : null;

export function presentInboxItem({
  eventId,
  eventType,
  status,
  receivedAt,
  waitingFor,
  attempts,
  nextAttemptAt,
  error,
  subject,
}: InboxRecord): InboxItem {
  return {
    eventId,
    eventType,
    status,
    receivedAt: receivedAt.toISOString(),
    ...(waitingFor === null ? {} : { waitingFor }),
    attempts,
    nextAttemptAt: nextAttemptOf({ status, nextAttemptAt }),
    ...(error === null ? {} : { error }),
    ...subject,
  };
}

export function presentInboxKind(kind: InboxKindRecord): InboxKind {
  return withIsoTimes(kind);
}

export function presentInboxEvent({ event, subject }: EventRecord): InboxEvent {
  return {
    eventId: event.eventId,
    eventType: event.eventType,
    status: event.status,
    receivedAt: event.receivedAt.toISOString(),
    occurredAt: event.occurredAt.toISOString(),
    processedAt: event.processedAt?.toISOString() ?? null,
    waitingFor: event.waitingFor,
    attempts: event.attempts,
    nextAttemptAt: nextAttemptOf(event),
    payload: event.payload || null,
    repaired: event.payload ? repairedFields(event.eventType, parseExact(event.payload)) : [],
    ...subject,
    ...(event.error === null ? {} : { error: event.error }),
  };
}
