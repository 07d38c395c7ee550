import type { ResponseOf, AnyOperation, BodyOf, ParamsOf } from '#domain/api/operation.ts';
import { createHttpExchange, type HttpRequest, type HttpResponse } from '../http/exchange.ts';
import { isUnreachable } from '../http/never-arrived.ts';

/**
 * How a call to the backend failed. `unreachable`: it certainly never arrived. `rejected`: a 4xx, so it had no effect.
 * `unclear`: broken off, timed out or a 5xx, so it may have taken effect.
 */
export type BackendFailure = 'unreachable' | 'rejected' | 'unclear';

export class BackendError extends Error {
  override name = 'BackendError';
  readonly kind: BackendFailure;
  readonly status: number | undefined;
  /** The problem's code, if the backend responded with one. */
  readonly code: string | undefined;

  constructor(kind: BackendFailure, detail: string, more: { status?: number; code?: string; cause?: unknown } = {}) {
    super(detail, { cause: more.cause });
    this.kind = kind;
    this.status = more.status;
    this.code = more.code;
  }
}

/** Whether the backend rejected the call with one of these codes, or with any if none is given. */
export function isBackendError(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof BackendError &&
    error.kind === 'rejected' &&
    (codes.length === 0 || codes.includes(error.code ?? ''))
  );
}

export interface BackendCall<O> {
  params?: ParamsOf<O>;
  body?: BodyOf<O>;
  requestId: string;
  timeoutMs?: number;
}

export interface BackendClient {
  /** @throws BackendError */
  call<O extends AnyOperation>(operation: O, call: BackendCall<O>): Promise<ResponseOf<O>>;
  /** @throws BackendError if the backend is not up. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const noResponse = ({ code, cause }: { code: string; cause: unknown }, kind: BackendFailure): BackendError =>
  new BackendError(kind, `The backend did not respond (${code})`, { cause });

/** The response does not match the operation's description, so the call may have taken effect. */
function unreadable(cause: unknown): BackendError {
  return new BackendError('unclear', 'The response of the backend cannot be read', { cause });
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function errorOf({ status, contentType, body }: HttpResponse): BackendError {
  let problem: { code?: unknown; detail?: unknown } = {};
  try {
    if (contentType?.includes('json')) problem = (JSON.parse(body) as typeof problem | null) ?? {};
  } catch (error) {
    return unreadable(error);
  }
  return new BackendError(
    status < 500 ? 'rejected' : 'unclear',
    `The backend responded ${status}: ${String(problem.detail ?? 'no reason')}`,
    { status, code: typeof problem.code === 'string' ? problem.code : undefined },
  );
}

function parseResponse<O extends AnyOperation>(operation: O, { body }: HttpResponse): ResponseOf<O> {
  try {
    return operation.response?.parse(JSON.parse(body)) as ResponseOf<O>;
  } catch (error) {
    throw unreadable(error);
  }
}

const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 2000;
const CALL_TIMEOUT_MS = 5000;
const PING_TIMEOUT_MS = 2500;
/** Longer than any list of results from storing events. */
const MAXIMUM_RESPONSE_BYTES = 8 * 1_048_576;
/** The backend announces how long it keeps an idle connection, which is far longer than other servers do. */
const MAXIMUM_IDLE_MS = 600_000;

export interface BackendClientOptions {
  baseUrl: string;
  secret: string;
  /** Certificates (PEM) to trust instead of the machine's authorities. */
  authorities?: Buffer | undefined;
}

/** Service calls to the backend over kept connections, authenticated with the secret that both services share. */
export function createBackendClient({ baseUrl, secret, authorities }: BackendClientOptions): BackendClient {
  const exchange = createHttpExchange({
    timeoutMs: CALL_TIMEOUT_MS,
    connections: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maximumIdleMs: MAXIMUM_IDLE_MS,
    maximumResponseBytes: MAXIMUM_RESPONSE_BYTES,
    authorities,
  });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };

  async function send(request: Omit<HttpRequest, 'url'> & { path: string }): Promise<HttpResponse> {
    const result = await exchange.send({ ...request, url: new URL(`${baseUrl}${request.path}`) });
    if (result.kind === 'failed') throw noResponse(result, isUnreachable(result) ? 'unreachable' : 'unclear');
    return result.response;
  }

  return {
    async call(operation, { params, body, requestId, timeoutMs }) {
      const response = await send({
        method: operation.method.toUpperCase() as HttpRequest['method'],
        path: `/internal/v1${fillPath(operation.path, (params ?? {}) as Record<string, string>)}`,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        requestId,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      if (response.status >= 300) throw errorOf(response);
      return parseResponse(operation, response);
    },
    async ping() {
      const { status } = await send({
        method: 'GET',
        path: '/healthz',
        headers: {},
        body: null,
        timeoutMs: PING_TIMEOUT_MS,
      });
      if (status !== 200) throw new BackendError('unclear', `The backend responded ${status}`);
    },
    close: () => exchange.close(),
  };
}
