import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { Problem } from '../../domain/api/problem.ts';

/** 1 MiB (contract of the inbound protocol). */
const DEFAULT_BODY_LIMIT = 1_048_576;

/**
 * The body's bytes as they came.
 * @throws Problem `too_large` above `limit`, `invalid_request` where the body breaks off.
 */
export async function readBody(ctx: Context, limit = DEFAULT_BODY_LIMIT): Promise<Buffer> {
  try {
    return await getRawBody(ctx.req, { limit, length: ctx.request.length ?? null });
  } catch (error) {
    // What is left of it would stand before the connection's next request.
    ctx.req.resume();
    const type = (error as { type?: string }).type;
    if (type === 'entity.too.large') throw new Problem('too_large', `The body is larger than ${limit} bytes`);
    throw new Problem('invalid_request', 'The body broke off or has another length than announced', { cause: error });
  }
}

/**
 * Parses JSON text in UTF-8; undefined for an empty body.
 * @throws Problem `invalid_request`.
 */
export function parseJson(body: Buffer, parse: (json: string) => unknown = JSON.parse): unknown {
  if (body.length === 0) return undefined;
  try {
    // Nothing is taken away on the way, or what was signed and stored would differ from what was read (RFC 8259, 8.1).
    return parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new Problem('invalid_request', 'The body is not valid JSON in UTF-8');
  }
}

/**
 * Reads and parses a JSON body.
 * @throws what `notJson` makes for another content type; Problem `invalid_request` for broken JSON, `too_large`.
 */
export async function readJson(ctx: Context, notJson: (message: string) => Error, limit?: number): Promise<unknown> {
  return parseJsonOf(ctx, await readBody(ctx, limit), notJson);
}

/**
 * Parses the JSON body of a request, once it has been read.
 * @throws as `readJson` for its content type and syntax.
 */
export function parseJsonOf(ctx: Context, body: Buffer, notJson: (message: string) => Error): unknown {
  if (body.length > 0 && !ctx.is('json', '+json')) throw notJson('The body must be application/json');
  return parseJson(body);
}
