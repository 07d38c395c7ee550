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

/** How often it is asked whether those who watch may still do so: what an administrator takes away ends within 5 s. */
const RIGHTS_MS = 3000;

interface Reader {
  /** Null for somebody whose rights no list limits. */
  actor: string | null;
  /** The last event written to its stream. */
  taken: string;
}

interface Watched {
  streams: Map<PassThrough, Reader>;
  rightsAskedAt: number;
  timer: NodeJS.Timeout | null;
}

interface Campaign {
  tenantId: string;
  id: string;
}

export interface ProgressStreams {
  /**
   * Opens a stream of server-sent events that begins with `first` and ends with the client, with `end()`, or once the actor
   * may no longer see the campaign. @param actor null for somebody whose rights no list limits
   */
  open(campaign: Campaign, first: Progress, actor: string | null): PassThrough;
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
  /** Those of the actors who may not see the campaign. */
  excluded: (campaign: Campaign, actors: string[]) => Promise<string[]>;
  rightsMs?: number;
  logger: Logger;
  lookMs?: number;
  heartbeatMs?: number;
}

/** A slow reader misses states instead of using up memory: the next state is all it needs. */
function write(stream: PassThrough, text: string): boolean {
  if (stream.writableNeedDrain) return false;
  stream.write(text);
  return true;
}

/** Ends the streams of those who may not see the campaign any more. */
async function endExcluded(
  campaign: Campaign,
  entry: Watched,
  { excluded, rightsMs }: Required<Pick<StreamOptions, 'excluded' | 'rightsMs'>>,
): Promise<void> {
  if (performance.now() - entry.rightsAskedAt < rightsMs) return;
  const actors = [...entry.streams.values()].flatMap(({ actor }) => actor ?? []);
  const gone = new Set(actors.length === 0 ? [] : await excluded(campaign, [...new Set(actors)]));
  for (const [stream, { actor }] of entry.streams) if (actor !== null && gone.has(actor)) stream.end();
  entry.rightsAskedAt = performance.now();
}

/** All open streams of this process. */
export function createProgressStreams({
  read,
  excluded,
  logger,
  rightsMs = RIGHTS_MS,
  lookMs = LOOK_MS,
  heartbeatMs = HEARTBEAT_MS,
}: StreamOptions): ProgressStreams {
  const watched = new Map<string, Watched>();
  const heartbeat = setInterval(() => {
    for (const { streams } of watched.values()) for (const stream of streams.keys()) write(stream, ': alive\n\n');
  }, heartbeatMs);
  heartbeat.unref();

  async function look(campaign: Campaign, entry: Watched): Promise<void> {
    try {
      await endExcluded(campaign, entry, { excluded, rightsMs });
      const progress = await read(campaign.tenantId, campaign.id);
      if (!progress) {
        for (const stream of entry.streams.keys()) stream.end();
      } else {
        const event = eventOf(progress);
        for (const [stream, reader] of entry.streams) {
          if (reader.taken !== event && !stream.writableEnded && write(stream, event)) reader.taken = event;
        }
      }
    } catch (error) {
      logger.warn({ err: error, campaignId: campaign.id }, 'progress could not be read; the stream continues');
    }
    // Setting the timer again after each read keeps reads from piling up behind a slow database.
    entry.timer = entry.streams.size > 0 ? setTimeout(() => void look(campaign, entry), lookMs) : null;
  }

  return {
    open(campaign, first, actor) {
      const key = JSON.stringify([campaign.tenantId, campaign.id]);
      const entry = watched.get(key) ?? { streams: new Map(), rightsAskedAt: performance.now(), timer: null };
      watched.set(key, entry);
      const stream = new PassThrough();
      const event = eventOf(first);
      entry.streams.set(stream, { actor, taken: event });
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
