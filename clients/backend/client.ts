import { Agent, request, type Dispatcher } from 'undici';
import type { ResponseOf, AnyOperation, BodyOf, ParamsOf } from '../../domain/api/operation.ts';

/**
 * How a call to the backend failed. `unreachable`: it surely never arrived. `refused`: answered with a 4xx, without effect.
 * `unclear`: broken off, timed out or answered 5xx, so that it may have had its effect.
 */
export type BackendFailure = 'unreachable' | 'refused' | 'unclear';

export class BackendError extends Error {
  override name = 'BackendError';
  readonly kind: BackendFailure;
  readonly status: number | undefined;
  /** The problem's code, where the backend answered one. */
  readonly code: string | undefined;

  constructor(kind: BackendFailure, detail: string, more: { status?: number; code?: string; cause?: unknown } = {}) {
    super(detail, { cause: more.cause });
    this.kind = kind;
    this.status = more.status;
    this.code = more.code;
  }
}

/** Whether `error` is the backend's refusal with one of these codes. */
export function isBackendError(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof BackendError &&
    error.kind === 'refused' &&
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
  /** @throws BackendError where the backend does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const neverArrived = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function transportFailure(error: unknown): BackendError {
  const code = String((error as { code?: unknown } | null)?.code ?? (error as Error | null)?.name);
  const kind = neverArrived.has(code) ? 'unreachable' : 'unclear';
  return new BackendError(kind, `The backend did not answer (${code})`, { cause: error });
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

async function refusal(response: Dispatcher.ResponseData): Promise<BackendError> {
  const text = await response.body.text();
  const kind = response.statusCode < 500 ? 'refused' : 'unclear';
  let problem: { code?: unknown; detail?: unknown } = {};
  if (String(response.headers['content-type']).includes('json')) problem = JSON.parse(text) as typeof problem;
  return new BackendError(
    kind,
    `The backend answered ${response.statusCode}: ${String(problem.detail ?? 'no reason')}`,
    {
      status: response.statusCode,
      code: typeof problem.code === 'string' ? problem.code : undefined,
    },
  );
}

/** Service calls to the backend over kept connections, authenticated by the secret that both know. */
export function createBackendClient(options: { baseUrl: string; secret: string }): BackendClient {
  const dispatcher = new Agent({ connections: 32, connect: { timeout: 2000 } });
  const headers = (requestId: string) => ({
    authorization: `Bearer ${options.secret}`,
    'x-request-id': requestId,
    'content-type': 'application/json',
  });
  return {
    async call(operation, { params, body, requestId, timeoutMs = 5000 }) {
      const path = fillPath(operation.path, (params ?? {}) as Record<string, string>);
      let response: Dispatcher.ResponseData;
      try {
        response = await request(`${options.baseUrl}/internal/v1${path}`, {
          dispatcher,
          method: operation.method.toUpperCase() as Dispatcher.HttpMethod,
          headers: headers(requestId),
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (response.statusCode >= 300) throw await refusal(response);
        return operation.response?.parse(await response.body.json()) as ResponseOf<typeof operation>;
      } catch (error) {
        throw error instanceof BackendError ? error : transportFailure(error);
      }
    },
    async ping() {
      try {
        const response = await request(`${options.baseUrl}/healthz`, { dispatcher, signal: AbortSignal.timeout(2500) });
        await response.body.dump();
        if (response.statusCode !== 200)
          throw new BackendError('unclear', `The backend answered ${response.statusCode}`);
      } catch (error) {
        throw error instanceof BackendError ? error : transportFailure(error);
      }
    },
    close: () => dispatcher.close(),
  };
}
