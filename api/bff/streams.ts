import type { Context } from 'koa';
import { Problem } from '../../domain/api/problem.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SignedIn } from './identity/signed-in.ts';

/** Tabs of one browser that follow something at once. */
export const STREAMS_PER_SESSION = 6;
export const STREAMS_PER_TENANT = 100;

/** How long a stream outlasts rights that were withdrawn in another process. */
const CHECK_EVERY_MS = 5 * 60_000;
const SOONEST_CHECK_MS = 1000;

/** The console polls meanwhile, and tries again by itself. */
const RETRY_SECONDS = 10;

type Reader = Pick<SignedIn, 'tokenHash' | 'tenantId' | 'expiresAt'>;

/** The event streams of this process. Each of them holds a connection to the backend, so they are counted. */
export interface Streams {
  /**
   * Counts a stream until its connection closes.
   * @param mayGoOn asked when the session or its token expires and every five minutes, says until when the stream may go
   * on; null ends it
   * @returns aborted when the stream has to end
   * @throws Problem `rate_limited` if the session or its tenant has as many as it may have.
   */
  open(ctx: Context, reader: Reader, mayGoOn: () => Promise<Date | null>): AbortSignal;
  /** Ends the streams of a session. */
  endSession(tokenHash: Buffer): void;
  /** Ends the streams of a platform tenant. */
  endTenant(tenantId: string): void;
  endAll(): void;
}

interface Open {
  session: string;
  tenantId: string;
  end: AbortController;
}

const tooMany = (detail: string): Problem => new Problem('rate_limited', detail, { retryAfterSeconds: RETRY_SECONDS });

export function createStreams(logger: Logger): Streams {
  const open = new Set<Open>();
  const of = (belongs: (one: Open) => boolean): Open[] => [...open].filter(belongs);
  const endThose = (belongs: (one: Open) => boolean): void => of(belongs).forEach(({ end }) => end.abort());

  function requireRoom({ session, tenantId }: Pick<Open, 'session' | 'tenantId'>): void {
    if (of((one) => one.session === session).length >= STREAMS_PER_SESSION)
      throw tooMany(`A session may follow ${STREAMS_PER_SESSION} things at once`);
    if (of((one) => one.tenantId === tenantId).length >= STREAMS_PER_TENANT)
      throw tooMany(`A tenant may follow ${STREAMS_PER_TENANT} things at once`);
  }

  /** Ends the stream as soon as it may not go on. @returns how to stop watching. */
  function watch(one: Open, { expiresAt }: Reader, mayGoOn: () => Promise<Date | null>): () => void {
    let timer: NodeJS.Timeout;
    const check = async () => {
      try {
        const until = await mayGoOn();
        if (!until) one.end.abort();
        else if (open.has(one)) plan(until);
      } catch (error) {
        // Nobody knows, and the reader comes back by itself.
        logger.warn({ err: error }, 'the reader of a stream could not be checked');
        one.end.abort();
      }
    };
    function plan(until: Date): void {
      // The clock of the database decides, and may be behind.
      const left = Math.max(SOONEST_CHECK_MS, until.getTime() - Date.now());
      timer = setTimeout(() => void check(), Math.min(left, CHECK_EVERY_MS)).unref();
    }
    plan(expiresAt);
    return () => clearTimeout(timer);
  }

  return {
    open(ctx, reader, mayGoOn) {
      const one: Open = {
        session: reader.tokenHash.toString('hex'),
        tenantId: reader.tenantId,
        end: new AbortController(),
      };
      requireRoom(one);
      // Whoever left in the meantime is not told of it again.
      if (ctx.res.closed) return AbortSignal.abort();
      open.add(one);
      const stopWatching = watch(one, reader, mayGoOn);
      ctx.res.once('close', () => {
        open.delete(one);
        stopWatching();
      });
      return one.end.signal;
    },
    endSession: (tokenHash) => endThose(({ session }) => session === tokenHash.toString('hex')),
    endTenant: (tenantId) => endThose((one) => one.tenantId === tenantId),
    endAll: () => endThose(() => true),
  };
}
