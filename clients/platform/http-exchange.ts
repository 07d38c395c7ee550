import { Agent, type Dispatcher } from 'undici';
import type { Exchange } from './outcome.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: URL;
  headers: Record<string, string>;
  body: Buffer | null;
  /**
   * On a new connection, which waits for no other call: where an effect must not be in doubt only because the other side
   * closed a kept connection while the request was written into it.
   */
  ownConnection?: boolean;
}

/** Sends one request, and never throws for what the network does. */
export interface HttpExchange {
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

const MAXIMUM_ANSWER_BYTES = 1_048_576;

interface Progress {
  sent: boolean;
}

/**
 * Whether a request was written to a connection decides whether its failure is harmless, and error codes don't tell it
 * (the same ECONNRESET comes before and after). undici says it: `onRequestStart` comes with a connection, right before writing.
 */
function trackSending(progress: Progress): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        progress.sent = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message || error.name;
}

async function readLimited(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAXIMUM_ANSWER_BYTES) throw new Error('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Connections to one service, kept alive: `connections` of them, and those that calls have of their own. A call that has
 * not ended after `timeoutMs` ends as such; idle connections are given up before common servers do (5 s).
 */
export function createHttpExchange(options: { timeoutMs: number; connections: number }): HttpExchange {
  const timeouts = { connect: { timeout: Math.min(5000, options.timeoutMs) }, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Agent({
    ...timeouts,
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: 3000,
    keepAliveMaxTimeout: 3000,
  });
  const single = new Agent({ ...timeouts, pipelining: 0 });
  return {
    async send({ url, method, headers, body, ownConnection = false }) {
      const progress: Progress = { sent: false };
      try {
        const response = await (ownConnection ? single : kept).compose(trackSending(progress)).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          // Nothing here decodes, and a request that names no coding accepts every one.
          headers: { 'Accept-Encoding': 'identity', ...headers },
          body,
          signal: AbortSignal.timeout(options.timeoutMs),
        });
        const retryAfter = response.headers['retry-after'];
        const result = {
          status: response.statusCode,
          retryAfter: Array.isArray(retryAfter) ? retryAfter.at(-1) : retryAfter,
          body: await readLimited(response.body),
        };
        return { response: result };
      } catch (error) {
        return { sent: progress.sent, message: messageOf(error) };
      }
    },
    close: async () => void (await Promise.all([kept.destroy(), single.destroy()])),
  };
}
