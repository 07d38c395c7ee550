import type { Context } from 'koa';
import { Problem } from '../../../domain/api/problem.ts';

/** So many bytes have to arrive in each such stretch of time, until all have. */
export interface Pace {
  bytes: number;
  everyMs: number;
}

/** Slower than any connection that somebody would wait for; a body of a few hundred bytes has ten seconds. */
export const slowestPace: Pace = { bytes: 10_240, everyMs: 10_000 };

const tooSlow = (): Problem => new Problem('too_slow', 'The body arrived too slowly');

/**
 * Waits for `reading`, which receives the request's body, for as long as the body keeps pace.
 * @throws Problem `too_slow`, after whose response the connection is closed: what is left of the body would precede the
 * next request.
 */
export async function keepingPace<T>(ctx: Context, reading: Promise<T>, pace: Pace = slowestPace): Promise<T> {
  const { socket } = ctx.req;
  let before = socket.bytesRead;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (socket.bytesRead - before < pace.bytes) reject(tooSlow());
      before = socket.bytesRead;
    }, pace.everyMs);
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_slow') ctx.set('Connection', 'close');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
