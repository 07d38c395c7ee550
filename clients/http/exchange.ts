import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { FailedCall } from './never-arrived.ts';
import { whenWritten } from './when-written.ts';

export interface HttpRequest {
  method: Dispatcher.HttpMethod;
  url: URL;
  headers: Record<string, string>;
  body: Buffer | string | null;
  /** Sent as `x-request-id`, so that both services log the call under the same id. */
  requestId?: string;
  /** How long this call may take, if that differs from the exchange's own limit. */
  timeoutMs?: number;
  /**
   * Uses a new connection, without waiting for other calls. For calls whose effect must not be in doubt merely
   * because the other side closed a kept connection while the request was being written to it.
   */
  ownConnection?: boolean;
  /** Asked right before the request is written: true ends the call, as not sent. */
  isCalledOff?: () => boolean;
}

export interface HttpResponse {
  status: number;
  retryAfter: string | undefined;
  contentType: string | undefined;
  body: string;
}

/** A call that ended without a complete response. */
export interface ExchangeFailure extends FailedCall {
  message: string;
  cause: unknown;
}

export type Exchange = { kind: 'responded'; response: HttpResponse } | ({ kind: 'failed' } & ExchangeFailure);

/** Calls to one service. */
export interface HttpExchange {
  /** Never rejects because of the network. */
  send(request: HttpRequest): Promise<Exchange>;
  /** Waits for the calls in progress. */
  close(): Promise<void>;
  /** Aborts the calls in progress. */
  destroy(): Promise<void>;
}

export interface ExchangeOptions {
  /** A call that has not ended after this time is aborted. */
  timeoutMs: number;
  /** Number of kept connections; null for as many as there are calls. Calls on their own connections come on top. */
  connections: number | null;
  /** If absent, 5 s or `timeoutMs`, whichever is shorter. */
  connectTimeoutMs?: number;
  /**
   * Upper limit for keeping an idle connection if the other side announces that it keeps it too. 3 s if absent:
   * common servers close idle connections after 5 s.
   */
  maximumIdleMs?: number;
  /** A longer response counts as no response. 1 MiB if absent. */
  maximumResponseBytes?: number;
  /** Ignores the rest of a longer response instead. */
  cutResponses?: boolean;
  /** Resolves the names that are connected to, but not addresses; the system's if absent. */
  lookup?: LookupFunction;
  /** Certificates (PEM) to trust instead of the machine's authorities. */
  authorities?: Buffer | undefined;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 5000;
const DEFAULT_IDLE_MS = 3000;
const DEFAULT_RESPONSE_BYTES = 1_048_576;

/** A call that times out before it has a connection is never written, so reporting it as not sent is correct. */
const trackSending = (progress: { sent: boolean }, deadline: AbortSignal, isCalledOff: () => boolean) =>
  whenWritten((controller) => {
    const end = (error: Error): boolean => {
      controller.abort(error);
      return false;
    };
    if (isCalledOff()) return end(new Error('the call was called off'));
    if (deadline.aborted) return end(new Error('the call is over', { cause: deadline.reason }));
    progress.sent = true;
    return true;
  });

/** undici respects a signal only once it has a connection, and a call may have to wait for one. */
function endsBy<Value>(deadline: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** The system's or undici's code, from the first address tried if there were several; otherwise the error's name. */
function codeOf(error: unknown): string {
  const { code, name, errors } = (error ?? {}) as { code?: unknown; name?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  const [first] = errors ?? [];
  return first === undefined ? String(name ?? 'Error') : codeOf(first);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message || error.name;
}

async function readLimited(body: AsyncIterable<Buffer>, maximumBytes: number, cut: boolean): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maximumBytes && cut) {
      parts.push(part.subarray(0, part.length - (size - maximumBytes)));
      break;
    }
    if (size > maximumBytes) throw new RangeError(`the response is longer than ${maximumBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const lastOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.at(-1) : header;

/** How every client of another system makes its calls: kept connections, a time limit and a size limit. */
export function createHttpExchange(options: ExchangeOptions): HttpExchange {
  const {
    connectTimeoutMs = Math.min(DEFAULT_CONNECT_TIMEOUT_MS, options.timeoutMs),
    maximumIdleMs = DEFAULT_IDLE_MS,
    maximumResponseBytes = DEFAULT_RESPONSE_BYTES,
    cutResponses = false,
    lookup,
    authorities: ca,
  } = options;
  const connect = { timeout: connectTimeoutMs, ...(lookup && { lookup }), ...(ca && { ca }) };
  const timeouts = { connect, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Agent({
    ...timeouts,
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: Math.min(DEFAULT_IDLE_MS, maximumIdleMs),
    keepAliveMaxTimeout: maximumIdleMs,
  });
  const single = new Agent({ ...timeouts, pipelining: 0 });
  return {
    async send({ url, method, headers, body, requestId, timeoutMs = options.timeoutMs, ...call }) {
      const { ownConnection = false, isCalledOff = () => false } = call;
      const progress = { sent: false };
      const deadline = AbortSignal.timeout(timeoutMs);
      const agent = (ownConnection ? single : kept).compose(trackSending(progress, deadline, isCalledOff));
      try {
        const call = agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: {
            // Responses are not decoded here, and a request without this header accepts any coding.
            'Accept-Encoding': 'identity',
            ...headers,
            ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
          },
          body,
          signal: deadline,
        });
        const response = await endsBy(deadline, call);
        return {
          kind: 'responded',
          response: {
            status: response.statusCode,
            retryAfter: lastOf(response.headers['retry-after']),
            contentType: lastOf(response.headers['content-type']),
            body: await readLimited(response.body, maximumResponseBytes, cutResponses),
          },
        };
      } catch (error) {
        return { kind: 'failed', ...progress, code: codeOf(error), message: messageOf(error), cause: error };
      }
    },
    close: async () => void (await Promise.all([kept.close(), single.close()])),
    destroy: async () => void (await Promise.all([kept.destroy(), single.destroy()])),
  };
}
