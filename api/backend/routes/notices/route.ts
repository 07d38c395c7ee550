import { noticeOperations } from '#domain/api/notices.ts';
import {
  countUnread,
  listNotices,
  markRead,
  readNoticeSettings,
  writeNoticeSettings,
} from '#db/outreach/notices/notices.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { seenBy } from '#api/backend/auth.ts';
import { findStanding } from '#db/outreach/rights/rights.ts';
import { asViewer } from '#db/outreach/rights/viewers.ts';
import type { Database } from '#db/database.ts';
import { createNoticeStreams } from './stream.ts';

/**
 * What concerns the person who asks: a list, and a stream of how many are unread.
 * @param shared finds what the person may see, which can change while a stream is open
 */
export function noticeRoutes(
  serve: ServeActor,
  { database, logger, now }: BackendDeps,
  shared: Database,
): { endStreams: () => void } {
  const streams = createNoticeStreams(logger);

  serve(noticeOperations.listNotices, {
    handle: async ({ actor, query }) => ({
      ...(await listNotices(database, actor, query)),
      unread: await countUnread(database, actor),
    }),
  });

  serve(noticeOperations.readNotices, {
    handle: async ({ actor, body }) => {
      await markRead(database, actor, { until: new Date(body.until), now: now() });
      return { unread: await countUnread(database, actor) };
    },
  });

  serve(noticeOperations.getNoticeSettings, { handle: ({ actor }) => readNoticeSettings(database, actor) });

  serve(noticeOperations.putNoticeSettings, {
    handle: ({ actor, body }) => writeNoticeSettings(database, actor, body),
  });

  serve(noticeOperations.streamNotices, {
    handle: async ({ ctx, actor }) => {
      const first = { unread: await countUnread(database, actor) };
      streams.open(ctx, first, async () => {
        const standing = await findStanding(shared, { tenantId: actor.tenantId, actor: actor.userId });
        if (!standing) return null;
        const unread = await asViewer(seenBy(actor.role, standing), () => countUnread(database, actor));
        return { unread };
      });
      return first;
    },
  });

  return { endStreams: () => streams.end() };
}
