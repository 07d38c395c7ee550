import { inboxOperations } from '../../../../domain/api/inbox.ts';
import { listInboxEvents } from '../../../../db/outreach/event-list.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';

/** What came in, and what became of it. */
export function eventInboxRoutes(serve: ServeActor, { db }: BackendDeps): void {
  serve(inboxOperations.listInboxEvents, {
    handle: ({ actor, query }) => listInboxEvents(db, actor.tenantId, query),
  });
}
