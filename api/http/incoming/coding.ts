import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Problem } from '#domain/api/problem.ts';
import { bodyTooLarge } from './chunks.ts';

/** How a body may be packed. */
export type Coding = 'identity' | 'gzip';

type Headers = Pick<IncomingMessage, 'headers'>;

export const carriesBody = ({ headers }: Headers): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

/**
 * The coding of a request's body, which is never read as what it is not.
 * @throws Problem `unsupported_media_type` for any other than `taken` and identity, or more than one.
 */
export function codingOf(request: Headers, taken: Coding = 'identity'): Coding {
  const given = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (given === 'identity' || !carriesBody(request)) return 'identity';
  if (given === taken) return taken;
  const codings = [...new Set<Coding>([taken, 'identity'])].join(', ');
  throw new Problem('unsupported_media_type', `The body must have no Content-Encoding but: ${codings}`, {
    acceptEncoding: codings,
  });
}

const broken = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR']);

const notGzip = (cause?: unknown): Problem =>
  new Problem('invalid_request', 'The body is not gzip, ends early or has bytes after it', { cause });

/**
 * Unpacks gzip as it is read.
 * @param mostBytes of what it unpacks to
 * @throws Problem `too_large`, `invalid_request` for anything but whole gzip.
 */
export async function* gunzipped(packed: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let given = 0;
  async function* counted() {
    for await (const chunk of packed) {
      given += chunk.length;
      yield chunk;
    }
  }
  const written = pipeline(counted, gunzip);
  // Its error also ends the loop, unless that has ended before.
  written.catch(() => undefined);
  try {
    let length = 0;
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > mostBytes) throw bodyTooLarge(mostBytes);
      yield chunk;
    }
    await written;
  } catch (error) {
    throw broken.has(String((error as NodeJS.ErrnoException).code)) ? notGzip(error) : error;
  }
  // Zeros after the end are ignored by zlib.
  if (gunzip.bytesWritten < given) throw notGzip();
}
