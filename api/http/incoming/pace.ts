import type { Middleware } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import { type Arriving, closeAfterwards } from './chunks.ts';

/** So many bytes have to arrive in each such stretch of time, until all have. */
export interface Pace {
  bytes: number;
  everyMs: number;
}

/** Slower than any connection that somebody would wait for; a body of a few hundred bytes has ten seconds. */
export const slowestPace: Pace = { bytes: 10_240, everyMs: 10_000 };

const tooSlow = (): Problem => new Problem('too_slow', 'The body arrived too slowly');

/** Calls `late` once, as soon as too little arrives on the request's connection. @returns how to stop watching. */
function watchPace({ req: { socket } }: Arriving, pace: Pace, late: () => void): () => void {
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - before < pace.bytes) {
      clearInterval(timer);
      late();
    }
    before = socket.bytesRead;
  }, pace.everyMs).unref();
  return () => clearInterval(timer);
}

/** Closes the connection if the response is sent before the body has arrived, and the rest keeps no pace. */
export function endSlowRest(arriving: Arriving, pace: Pace = slowestPace): void {
  const { req, res } = arriving;
  res.once('finish', () => {
    if (req.complete) return;
    const stop = watchPace(arriving, pace, () => req.complete || req.socket.destroy());
    req.once('close', stop);
  });
}

/**
 * Closes connections on which a request was answered before its body had arrived, if the rest does not keep pace: whoever
 * sends it in earnest gets the response, and nobody waits for the others.
 */
export const withSlowRestsEnded =
  (pace: Pace = slowestPace): Middleware =>
  async (ctx, next) => {
    endSlowRest(ctx, pace);
    await next();
  };

/**
 * Waits for `reading`, which receives the request's body, for as long as the body keeps pace.
 * @throws Problem `too_slow`, after whose response the connection is closed: what is left of the body would precede the
 * next request.
 */
export async function keepingPace<T>(arriving: Arriving, reading: Promise<T>, pace: Pace = slowestPace): Promise<T> {
  let stop = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    stop = watchPace(arriving, pace, () => reject(tooSlow()));
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_slow') closeAfterwards(arriving);
    throw error;
  } finally {
    stop();
  }
}
