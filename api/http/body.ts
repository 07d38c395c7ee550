import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import { type Arriving, arrivesAtOnce, bodyTooLarge, eachChunk } from './incoming/chunks.ts';
import { keepingPace } from './incoming/pace.ts';

/** 1 MiB (contract of the inbound protocol). */
export const BODY_LIMIT = 1_048_576;

/**
 * The body if all of it is there and nobody has read from it.
 * @throws Problem `too_large`
 */
function wholeBody({ req }: Arriving, limit: number): Buffer | undefined {
  if (req.destroyed || req.readableFlowing !== null) return undefined;
  const body = (req.read() as Buffer | null) ?? Buffer.alloc(0);
  if (body.length > limit) throw bodyTooLarge(limit);
  return body;
}

/** Bodies that are read a second time. */
const readAlready = new WeakMap<object, Buffer>();

/** The body's bytes, for who has to see them before an operation reads them. @throws as `readBody` does. */
export async function readBodyTwice(arriving: Arriving, limit?: number): Promise<Buffer> {
  const body = await readBody(arriving, limit);
  readAlready.set(arriving.req, body);
  return body;
}

/**
 * The body's bytes as received.
 * @param arrived called for each part of it before it is kept
 * @throws Problem `too_large` above `limit`, `too_slow`, `invalid_request` if the body ends early; what `arrived` throws.
 */
export async function readBody(
  arriving: Arriving,
  limit = BODY_LIMIT,
  arrived: (chunk: Buffer) => void = () => undefined,
): Promise<Buffer> {
  const known = readAlready.get(arriving.req);
  if (known) return known;
  const whole = (await arrivesAtOnce(arriving)) ? wholeBody(arriving, limit) : undefined;
  if (whole) {
    arrived(whole);
    return whole;
  }
  const chunks: Buffer[] = [];
  const reading = eachChunk(arriving, limit, (chunk) => {
    arrived(chunk);
    chunks.push(chunk);
  });
  await keepingPace(arriving, reading);
  return Buffer.concat(chunks);
}

const notJsonText = (): Problem => new Problem('invalid_request', 'The body is not valid JSON in UTF-8');

/**
 * Keeps every character, including a BOM; otherwise what is read would differ from what was signed and stored (RFC 8259,
 * 8.1).
 * @throws Problem `invalid_request` for bytes that are not UTF-8.
 */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw notJsonText();
  return body.toString('utf8');
}

/** @throws Problem `invalid_request`. */
export function parseJsonText(text: string, parse: (json: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    throw notJsonText();
  }
}

/**
 * Parses JSON text in UTF-8; undefined for an empty body.
 * @throws Problem `invalid_request`.
 */
export function parseJson(body: Buffer, parse?: (json: string) => unknown): unknown {
  return body.length === 0 ? undefined : parseJsonText(textOf(body), parse);
}

/**
 * Reads and parses a JSON body.
 * @throws Problem `unsupported_media_type` for any other content type, `invalid_request` for malformed JSON, `too_large`.
 */
export async function readJson(ctx: Context, limit?: number): Promise<unknown> {
  return parseJsonOf(ctx, await readBody(ctx, limit));
}

/**
 * Parses the JSON body of a request after it has been read.
 * @throws as `readJson` for content type and syntax.
 */
export function parseJsonOf(ctx: Context, body: Buffer): unknown {
  if (body.length > 0 && !ctx.is('json', '+json'))
    throw new Problem('unsupported_media_type', 'The body must be application/json');
  return parseJson(body);
}
