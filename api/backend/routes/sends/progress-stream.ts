import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Progress } from '#domain/api/campaign.ts';
import type { Logger } from '#api/runtime/logger.ts';

/** How often a watched campaign is read. All its watchers share one read. */
const LOOK_MS = 500;

/**
 * Proxies close connections that are silent for long, and a client takes silence for a lost network. A few bytes cost
 * nothing compared with the reads.
 */
const HEARTBEAT_MS = 1000;

interface Watched {
  /** Each reader's stream with the last event written to it. */
  streams: Map<PassThrough, string>;
  timer: NodeJS.Timeout | null;
}

export interface ProgressStreams {
  /** Opens a stream of server-sent events that begins with `first` and ends with the client or with `end()`. */
  open(campaign: { tenantId: string; id: string }, first: Progress): PassThrough;
  end(): void;
}

/** One event. Its id changes only with its content. */
function eventOf(progress: Progress): string {
  const data = JSON.stringify(progress);
  const id = createHash('sha256').update(data).digest('base64url').slice(0, 16);
  return `event: progress\nid: ${id}\ndata: ${data}\n\n`;
}

interface StreamOptions {
  /** Null if the campaign no longer exists. */
  read: (tenantId: string, id: string) => Promise<Progress | null>;
  logger: Logger;
  lookMs?: number;
  heartbeatMs?: number;
}

/** All open streams of this process. */
export function createProgressStreams({
  read,
  logger,
  lookMs = LOOK_MS,
  heartbeatMs = HEARTBEAT_MS,
}: StreamOptions): ProgressStreams {
  const watched = new Map<string, Watched>();
  const heartbeat = setInterval(() => {
    for (const { streams } of watched.values()) for (const stream of streams.keys()) write(stream, ': alive\n\n');
  }, heartbeatMs);
  heartbeat.unref();

  /** A slow reader misses states instead of using up memory: the next state is all it needs. */
  function write(stream: PassThrough, text: string): boolean {
    if (stream.writableNeedDrain) return false;
    stream.write(text);
    return true;
  }

  async function look(campaign: { tenantId: string; id: string }, entry: Watched): Promise<void> {
    try {
      const progress = await read(campaign.tenantId, campaign.id);
      if (!progress) {
        for (const stream of entry.streams.keys()) stream.end();
      } else {
        const event = eventOf(progress);
        for (const [stream, taken] of entry.streams) {
          if (taken !== event && write(stream, event)) entry.streams.set(stream, event);
        }
      }
    } catch (error) {
      logger.warn({ err: error, campaignId: campaign.id }, 'progress could not be read; the stream continues');
    }
    // Setting the timer again after each read keeps reads from piling up behind a slow database.
    entry.timer = entry.streams.size > 0 ? setTimeout(() => void look(campaign, entry), lookMs) : null;
  }

  return {
    open(campaign, first) {
      const key = JSON.stringify([campaign.tenantId, campaign.id]);
      const entry = watched.get(key) ?? { streams: new Map(), timer: null };
      watched.set(key, entry);
      const stream = new PassThrough();
      const event = eventOf(first);
      entry.streams.set(stream, event);
      stream.once('close', () => {
        entry.streams.delete(stream);
        if (entry.streams.size > 0) return;
        if (entry.timer) clearTimeout(entry.timer);
        if (watched.get(key) === entry) watched.delete(key);
      });
      stream.write(`retry: 2000\n\n${event}`);
      entry.timer ??= setTimeout(() => void look(campaign, entry), lookMs);
      return stream;
    },
    end() {
      clearInterval(heartbeat);
      for (const { streams } of watched.values()) for (const stream of streams.keys()) stream.end();
    },
  };
}
