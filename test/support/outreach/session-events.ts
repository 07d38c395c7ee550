import type { InboxEvent } from '#domain/api/inbox.ts';
import { eventually } from '../time/eventually.ts';
import type { Stack } from '../services/stack.ts';
import type { TestTenant } from '../services/tenant.ts';

export type SessionEvents = ReturnType<typeof sessionEvents>;

/** Session events as the platform sends them, and what became of each: `open-<sessionId>`, `close-<sessionId>`. */
export function sessionEvents(stack: Stack, { tenantId, serviceNumberId, contactIds, sandbox, api }: TestTenant) {
  const [contactId] = contactIds;
  const emit = (eventType: string, data: object, eventId: string) =>
    sandbox.post('/sandbox/webhooks', { tenant: tenantId, serviceNumberId, eventType, data, eventId, wait: true });
  const inboxEvent = (eventId: string) => api.get<InboxEvent>(`/event-inbox/${eventId}`);
  const each = (eventIds: string[], holds: (event: InboxEvent) => boolean) => async () =>
    (await Promise.all(eventIds.map(inboxEvent))).every(holds);
  return {
    inboxEvent,
    openSession: (sessionId: string) =>
      emit('session.created', { sessionId, contactId, channel: 'app' }, `open-${sessionId}`),
    closeSession: (sessionId: string) =>
      emit(
        'session.closed',
        { sessionId, closedAt: new Date().toISOString(), summary: { duration: 60, messageCount: 3 } },
        `close-${sessionId}`,
      ),
    /** Events that still wait for their context fail after a day. */
    async aDayPasses(eventIds: string[]): Promise<void> {
      await eventually(
        'waiting',
        each(eventIds, ({ waitingFor }) => waitingFor !== null),
      );
      await stack.database
        .connect('outreach')('event_inbox')
        .whereIn('event_id', eventIds)
        .update({ received_at: new Date(Date.now() - 25 * 3_600_000), next_attempt_at: new Date() });
      await emit('contact.updated', { contactId, serviceNumberId }, `wakes-${eventIds[0]}`);
      await eventually(
        'failed',
        each(eventIds, ({ status }) => status === 'failed'),
      );
    },
  };
}
