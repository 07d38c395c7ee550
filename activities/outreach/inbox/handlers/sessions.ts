import { closeConversations, storeConversations } from '#db/outreach/clicks/conversations.ts';
import { storeSessionSources } from '#db/outreach/campaigns/entry-sources.ts';
import { wakeWaiting } from '#db/outreach/inbox/batch.ts';
import { sessionClosedSchema, sessionCreatedSchema } from '#domain/api/events.ts';
import { noLaterThan, processed, withData } from './handler.ts';

const contextOf = (sessionId: string) => `session:${sessionId}`;

/** A conversation was opened; a closing that arrived earlier is now due. */
export const openConversations = withData(sessionCreatedSchema, async (transaction, events, { now }) => {
  await storeConversations(
    transaction,
    events.map(({ event, data }) => ({
      tenantId: event.tenantId,
      sessionId: data.sessionId,
      reasonId: data.entryReason?.id ?? null,
      sourceId: data.sourceId ?? null,
      serviceNumberId: data.serviceNumberId ?? event.serviceNumberId,
      contactId: data.contactId,
      channel: data.channel ?? null,
      openedAt: event.occurredAt,
    })),
    now,
  );
  await storeSessionSources(
    transaction,
    events.flatMap(({ event: { tenantId }, data: { sourceId, entryReason } }) =>
      sourceId && entryReason?.id ? [{ tenantId, sourceId, campaignId: entryReason.id }] : [],
    ),
  );
  const contexts = events.map(({ event, data }) => ({ tenantId: event.tenantId, for: contextOf(data.sessionId) }));
  await wakeWaiting(transaction, contexts, now);
  return events.map(() => processed);
});

/** A conversation was closed; if its opening is missing, the event waits for it. */
export const endConversations = withData(sessionClosedSchema, async (transaction, events) => {
  const known = await closeConversations(
    transaction,
    events.map(({ event, data }) => ({
      tenantId: event.tenantId,
      sessionId: data.sessionId,
      closedAt: noLaterThan(event.receivedAt, data.closedAt),
      durationSeconds: data.summary.duration,
      messageCount: data.summary.messageCount,
    })),
  );
  return events.map(({ event, data }) =>
    known.has(`${event.tenantId} ${data.sessionId}`) ? processed : { kind: 'waits', for: contextOf(data.sessionId) },
  );
});
