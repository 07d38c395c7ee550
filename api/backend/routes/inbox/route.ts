import { batchOperations } from '#domain/api/batches.ts';
import { inboxOperations } from '#domain/api/inbox.ts';
import { Problem } from '#domain/api/problem.ts';
import { mapPage } from '#domain/cursor.ts';
import { dismissEvent, dismissEvents } from '#commands/outreach/inbox/dismiss-event.ts';
import { listInboxEvents, summariseInbox } from '#db/outreach/inbox/list.ts';
import { findInboxEvent } from '#db/outreach/inbox/replay.ts';
import { replayEvent, replayEvents } from '#commands/outreach/inbox/replay-event.ts';
import { replayKind } from '#commands/outreach/inbox/replay-kind.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { presentInboxEvent, presentInboxItem, presentInboxKind } from './present.ts';

/** Received events, their results, and what becomes of failed ones. */
export function eventInboxRoutes(serve: ServeActor, { database, launcher, logger }: BackendDeps): void {
  const load = async ({ actor, params }: { actor: Actor; params: { eventId: string } }) => {
    const event = await findInboxEvent(database, actor.tenantId, params.eventId);
    if (!event) throw new Problem('not_found', 'There is no event with this id');
    return event;
  };

  async function wake(partition: number): Promise<void> {
    try {
      await launcher.inbox(partition);
    } catch (error) {
      logger.warn({ err: error, partition }, 'could not signal the inbox; the sweep will start it');
    }
  }

  serve(inboxOperations.listInboxEvents, {
    handle: async ({ actor, query }) =>
      mapPage(await listInboxEvents(database, actor.tenantId, query), presentInboxItem),
  });

  serve(inboxOperations.getInboxSummary, {
    handle: async ({ actor }) => ({
      kinds: (await summariseInbox(database, actor.tenantId)).map(presentInboxKind),
    }),
  });

  serve(inboxOperations.replayInboxKind, {
    handle: async ({ actor, body }) => {
      const { replayed, left, partitions } = await replayKind(database, authorOf(actor), body);
      await Promise.all(partitions.map(wake));
      return { replayed, left };
    },
  });

  serve(batchOperations.replayInboxEvents, {
    handle: async ({ actor, body }) => {
      const { items, partitions } = await replayEvents(database, authorOf(actor), body.eventIds);
      await Promise.all(partitions.map(wake));
      return { items };
    },
  });

  serve(batchOperations.dismissInboxEvents, {
    handle: async ({ actor, body }) => ({ items: await dismissEvents(database, authorOf(actor), body) }),
  });

  serve(inboxOperations.getInboxEvent, { load, handle: async ({ loaded }) => presentInboxEvent(loaded) });

  serve(inboxOperations.replayInboxEvent, {
    load,
    handle: async ({ actor, params }) => {
      const replayed = await replayEvent(database, authorOf(actor), params.eventId);
      await wake(replayed.event.partition);
      return presentInboxEvent(replayed);
    },
  });

  serve(inboxOperations.dismissInboxEvent, {
    load,
    handle: async ({ actor, params, body }) =>
      presentInboxEvent(await dismissEvent(database, authorOf(actor), params.eventId, body.reason)),
  });
}
