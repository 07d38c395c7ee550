import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '#domain/api/problem.ts';

/** A request whose body may still arrive, and its response: a Koa context is one. */
export interface Arriving {
  req: IncomingMessage;
  res: ServerResponse;
}

/** Bytes of the body as the request announces them; undefined if it does not. */
export const announcedLength = ({ req }: Pick<Arriving, 'req'>): number | undefined =>
  req.headers['content-length'] === undefined ? undefined : Number(req.headers['content-length']);

/** A body of this size usually arrives together with its headers. */
const SMALL_BYTES = 16_384;

/**
 * Whether the whole body is there in the turn after its headers, as small ones are: waiting for its parts costs more than
 * all else that is done with an event.
 */
export async function arrivesAtOnce({ req }: Pick<Arriving, 'req'>): Promise<boolean> {
  if (!req.complete && (announcedLength({ req }) ?? SMALL_BYTES) < SMALL_BYTES) await setImmediate();
  return req.complete;
}

/** After the response the connection has no further request: what is left of this one's body would precede it. */
export function closeAfterwards({ res }: Arriving): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

export const bodyTooLarge = (limit: number): Problem =>
  new Problem('too_large', `The body is larger than ${limit} bytes`);

/**
 * Passes the request's body on as it arrives. Whatever ends it early, the rest is received and dropped: it would precede
 * the connection's next request.
 * @throws Problem `too_large`, at once if more is announced; `invalid_request` if the body ends early; what `take` throws.
 */
export async function eachChunk(
  arriving: Arriving,
  limit: number,
  take: (chunk: Buffer) => Promise<unknown> | void,
): Promise<void> {
  const { req } = arriving;
  let length = 0;
  try {
    if ((announcedLength(arriving) ?? 0) > limit) throw bodyTooLarge(limit);
    // Otherwise leaving the loop would close the connection, and nobody would get the response.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw bodyTooLarge(limit);
      await take(chunk);
    }
  } catch (error) {
    if (req.errored)
      throw new Problem('invalid_request', 'The body ended early or does not have the announced length', {
        cause: error,
      });
    req.resume();
    throw error;
  }
}
