import { noticeOperations } from '#domain/api/notices.ts';
import {
  countUnread,
  listNotices,
  markRead,
  type Reader,
  readNoticeSettings,
  writeNoticeSettings,
} from '#db/outreach/notices/notices.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { type Actor, seenBy } from '#api/backend/auth.ts';
import { findUser } from '#db/outreach/tenants/users.ts';
import { findStanding } from '#db/outreach/rights/rights.ts';
import { asViewer } from '#db/outreach/rights/viewers.ts';
import type { Database } from '#db/database.ts';
import { createKeptRefunds } from './refunds.ts';
import { createNoticeStreams } from './stream.ts';

/**
 * What concerns the person who asks: a list, and a stream of how many are unread.
 * @param shared finds what the person may see, which can change while a stream is open
 */
export function noticeRoutes(
  serve: ServeActor,
  { database, logger, now, readWaitingRefunds }: BackendDeps,
  shared: Database,
): { endStreams: () => void } {
  const streams = createNoticeStreams(logger);
  const refundsOf = createKeptRefunds(readWaitingRefunds, { logger, now });

  async function readerOf(actor: Actor): Promise<Reader> {
    const user = await findUser(shared, actor.tenantId, actor.userId);
    return { ...actor, refunds: user?.roles.includes('order_admin') ? await refundsOf(actor.tenantId) : [] };
  }

  serve(noticeOperations.listNotices, {
    handle: async ({ actor, query }) => {
      const reader = await readerOf(actor);
      return { ...(await listNotices(database, reader, query)), unread: await countUnread(database, reader) };
    },
  });

  serve(noticeOperations.readNotices, {
    handle: async ({ actor, body }) => {
      await markRead(database, actor, { until: new Date(body.until), now: now() });
      return { unread: await countUnread(database, await readerOf(actor)) };
    },
  });

  serve(noticeOperations.getNoticeSettings, { handle: ({ actor }) => readNoticeSettings(database, actor) });

  serve(noticeOperations.putNoticeSettings, {
    handle: ({ actor, body }) => writeNoticeSettings(database, actor, body),
  });

  serve(noticeOperations.streamNotices, {
    handle: async ({ ctx, actor }) => {
      const first = { unread: await countUnread(database, await readerOf(actor)) };
      streams.open(ctx, first, async () => {
        const standing = await findStanding(shared, { tenantId: actor.tenantId, actor: actor.userId });
        if (!standing) return null;
        const reader = await readerOf(actor);
        const unread = await asViewer(seenBy(actor.role, standing), () => countUnread(database, reader));
        return { unread };
      });
      return first;
    },
  });

  return { endStreams: () => streams.end() };
}
