import type { Context } from 'koa';
import pMap from 'p-map';
import { Problem } from '#domain/api/problem.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SignedIn } from './identity/signed-in.ts';

/** Tabs of one browser that follow something at once. */
export const STREAMS_PER_SESSION = 6;
export const STREAMS_PER_TENANT = 100;

/** How long a stream may outlast revoked rights without a notification. */
const CHECK_EVERY_MS = 5 * 60_000;
const SOONEST_CHECK_MS = 1000;
const CHECKS_AT_ONCE = 4;

/** The console polls in the meantime, and reconnects. */
const RETRY_SECONDS = 10;

type Reader = Pick<SignedIn, 'tokenHash' | 'tenantId'>;

/** The event streams of this process. Each of them holds a connection to the backend, so they are counted. */
export interface Streams {
  /**
   * Counts a stream until its connection closes.
   * @param mayGoOn asked a second after it was opened, when the session or its token expires and every five minutes, says
   * until when the stream may go on; null ends it
   * @returns aborted when the stream has to end
   * @throws Problem `rate_limited` if the session or its tenant has as many as it may have.
   */
  open(ctx: Context, reader: Reader, mayGoOn: () => Promise<Date | null>): AbortSignal;
  /** Ends the streams of a session. */
  endSession(tokenHash: Buffer): void;
  /** Ends the streams of a platform tenant. */
  endTenant(tenantId: string): void;
  /** Re-authenticates all of them. */
  checkAll(): Promise<void>;
  endAll(): void;
}

interface Open {
  session: string;
  tenantId: string;
  end: AbortController;
  check(): Promise<void>;
  /** Once it is closed. */
  forget(): void;
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

  /** Ends the stream once it is no longer allowed. */
  function watched(belongs: Pick<Open, 'session' | 'tenantId'>, mayGoOn: () => Promise<Date | null>): Open {
    const end = new AbortController();
    let timer: NodeJS.Timeout;
    const plan = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void one.check(), Math.min(ms, CHECK_EVERY_MS)).unref();
    };
    const one: Open = {
      ...belongs,
      end,
      async check() {
        try {
          const until = await mayGoOn();
          if (!until) end.abort();
          // The clock of the database decides, and may be behind.
          else if (open.has(one)) plan(Math.max(SOONEST_CHECK_MS, until.getTime() - Date.now()));
        } catch (error) {
          // Not known; the reader reconnects.
          logger.warn({ err: error }, 'the reader of a stream could not be checked');
          end.abort();
        }
      },
      forget: () => clearTimeout(timer),
    };
    // The session may have ended since it was read, before anybody could tell this stream.
    plan(SOONEST_CHECK_MS);
    return one;
  }

  return {
    open(ctx, { tokenHash, tenantId }, mayGoOn) {
      const belongs = { session: tokenHash.toString('hex'), tenantId };
      requireRoom(belongs);
      // The reader may have disconnected in the meantime.
      if (ctx.res.closed) return AbortSignal.abort();
      const one = watched(belongs, mayGoOn);
      open.add(one);
      ctx.res.once('close', () => {
        open.delete(one);
        one.forget();
      });
      return one.end.signal;
    },
    endSession: (tokenHash) => endThose(({ session }) => session === tokenHash.toString('hex')),
    endTenant: (tenantId) => endThose((one) => one.tenantId === tenantId),
    checkAll: async () => void (await pMap(open, (one) => one.check(), { concurrency: CHECKS_AT_ONCE })),
    endAll: () => endThose(() => true),
  };
}
