import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { type Dispatcher, Pool } from 'undici';
import { Problem, problems } from '#domain/api/problem.ts';
import { carriesBody } from '../http/incoming/coding.ts';
import { currentRequest, OWN_REQUEST_ID_HEADER, REQUEST_ID_HEADER } from '../http/request-id.ts';
import { requestWithin } from './request-within.ts';

export interface ForwardRequest {
  /** Path at the other service, with the query. */
  path: string;
  bearer: string;
  /** For an event stream, which may be silent for any length of time: aborted when it has to end. */
  stream?: AbortSignal;
}

export interface Forwarder {
  /**
   * Forwards the request of `ctx` and returns the response, both as streams. If the service responds 401 to a request
   * without a body, the call is retried with the token from `other.bearer`.
   * @throws Problem `unavailable` if the service does not respond.
   */
  forward(ctx: Context, request: ForwardRequest, other?: { bearer: () => Promise<string> }): Promise<void>;
  close(): Promise<void>;
}

const passedOn = [
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'content-encoding',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
];
const passedBack = [
  'content-type',
  'content-length',
  'content-disposition',
  'etag',
  'location',
  'retry-after',
  'idempotency-replayed',
  'accept-encoding',
];

/** A send to a million contacts takes 4 s, and several times that on a busy machine. */
const RESPONSE_TIMEOUT_MS = 60_000;

const TOO_SLOW = problems.too_slow.status;

const away = (cause: unknown): Problem =>
  new Problem('unavailable', 'A part of the service cannot be reached at the moment; try again', {
    retryAfterSeconds: 1,
    cause,
  });

function headersOf(ctx: Context, bearer: string): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${bearer}`,
    [REQUEST_ID_HEADER.toLowerCase()]: String(ctx.state['requestId']),
    [OWN_REQUEST_ID_HEADER.toLowerCase()]: currentRequest()?.requestId ?? '',
  };
  for (const name of passedOn) {
    const value = ctx.headers[name];
    // An empty Idempotency-Key is one that is not valid.
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/**
 * Pipes the caller's body through a separate stream. If the service responds early and its connection is torn down,
 * the caller's connection must survive, because the response still goes back over it.
 */
function bodyOf(ctx: Context): PassThrough | null {
  if (!carriesBody(ctx.req)) return null;
  const through = new PassThrough();
  // Not `pipeline`, which would end the caller's stream together with this one.
  ctx.req.pipe(through);
  through.once('error', () => {}).once('close', () => ctx.req.resume());
  return through;
}

/** Our paths never contain `..`, and it must not lead to a different path at the next service. */
export function hasDotSegment(path: string): boolean {
  return path.split(/[/\\]|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}

/** For what waits for a connection: a 503 while its caller is still there. */
const CONNECTION_TIMEOUT_MS = 5000;

/** @param authorities certificates (PEM) to trust instead of the machine's authorities. */
export function createForwarder(baseUrl: string, authorities?: Buffer): Forwarder {
  const connect = { timeout: 2000, ...(authorities && { ca: authorities }) };
  const timeouts = { connect, headersTimeout: RESPONSE_TIMEOUT_MS };
  const pool = new Pool(baseUrl, { ...timeouts, connections: 128 });
  // Streams and bodies occupy a connection as long as their callers like, so they use a pool of their own.
  const lastingPool = new Pool(baseUrl, { ...timeouts, connections: null });

  async function send(ctx: Context, request: ForwardRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const options = {
      method: ctx.method as Dispatcher.HttpMethod,
      path: request.path,
      headers: headersOf(ctx, request.bearer),
      body: bodyOf(ctx),
      bodyTimeout: request.stream ? 0 : RESPONSE_TIMEOUT_MS,
      signal,
    };
    const lasts = request.stream !== undefined || options.body !== null;
    return requestWithin(lasts ? lastingPool : pool, options, CONNECTION_TIMEOUT_MS);
  }

  function result(ctx: Context, response: Dispatcher.ResponseData): void {
    ctx.status = response.statusCode;
    // The service does not wait for the rest of the body, and neither do we.
    if (response.statusCode === TOO_SLOW) ctx.set('Connection', 'close');
    for (const name of passedBack) {
      const value = response.headers[name];
      if (value !== undefined) ctx.set(name, value);
    }
    // If the caller has left, Koa destroys the stream without a listener, and the error would end the process.
    response.body.once('error', () => {});
    ctx.body = response.statusCode === 204 ? null : response.body;
    if (response.statusCode === 204) response.body.resume();
  }

  return {
    async forward(ctx, request, other) {
      if (hasDotSegment(ctx.path)) throw new Problem('not_found', `There is no ${ctx.method} ${ctx.path}`);
      const left = new AbortController();
      // The caller has disconnected.
      ctx.res.once('close', () => left.abort());
      const signal = request.stream ? AbortSignal.any([left.signal, request.stream]) : left.signal;
      try {
        let response = await send(ctx, request, signal);
        if (response.statusCode === 401 && other && !carriesBody(ctx.req)) {
          await response.body.dump();
          response = await send(ctx, { ...request, bearer: await other.bearer() }, signal);
        }
        result(ctx, response);
        // The reader learns that the stream is open before the first event arrives.
        if (request.stream) ctx.flushHeaders();
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw away(error);
      }
    },
    close: async () => void (await Promise.all([pool.close(), lastingPool.close()])),
  };
}
