import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { streamTo } from '#api/http/event-stream.ts';
import type { Logger } from '#api/runtime/logger.ts';

/** Within how many milliseconds a bell shows what has changed. */
const LOOK_MS = 2000;

interface Unread {
  unread: number;
}

export interface NoticeStreams {
  /** Answers with a stream of server-sent events that ends with its reader, with `end()`, or once `read` finds nobody. */
  open(ctx: Context, first: Unread, read: () => Promise<Unread | null>): void;
  end(): void;
}

/** Each look writes something: proxies close connections that are silent for long. */
export function createNoticeStreams(logger: Logger): NoticeStreams {
  const opened = new Set<PassThrough>();
  const eventOf = (state: Unread) => `event: notices\ndata: ${JSON.stringify(state)}\n\n`;

  function watch(stream: PassThrough, first: Unread, read: () => Promise<Unread | null>): void {
    let taken = eventOf(first);
    stream.write(`retry: 2000\n\n${taken}`);
    const look = async () => {
      const state = await read().catch((error: unknown) => {
        logger.warn({ err: error }, 'notices could not be counted; the stream continues');
        return undefined;
      });
      if (stream.writableEnded || stream.destroyed) return;
      if (state === null) return void stream.end();
      const event = state === undefined ? taken : eventOf(state);
      // A slow reader misses states: the next one is all it needs.
      if (!stream.writableNeedDrain) {
        stream.write(event === taken ? ': alive\n\n' : event);
        taken = event;
      }
      timer = setTimeout(() => void look(), LOOK_MS);
    };
    let timer = setTimeout(() => void look(), LOOK_MS);
    opened.add(stream);
    stream.once('close', () => {
      clearTimeout(timer);
      opened.delete(stream);
    });
  }

  return {
    open(ctx, first, read) {
      const stream = new PassThrough();
      watch(stream, first, read);
      streamTo(ctx, stream);
    },
    end() {
      for (const stream of opened) stream.end();
    },
  };
}
