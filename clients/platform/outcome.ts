import { respondedId } from '#domain/api/primitives.ts';
import type { CallFailure } from '#domain/campaigns/standing.ts';
import { parseExact } from '#domain/json-text.ts';
import { retryAfterMs } from '#domain/retry-after.ts';
import type { Exchange, HttpResponse } from '../http/exchange.ts';
import { neverArrived } from '../http/never-arrived.ts';

/**
 * How a call to the platform ended, by what is certain about its effect. Only `ambiguous` leaves that open: such a
 * call is retried only if a retry does no harm.
 */
export type Outcome<Value> =
  | { kind: 'accepted'; value: Value }
  /** 4xx: the platform will not do it, now or later. */
  | { kind: 'rejected'; status: number; code: string; message: string; contactIds: string[]; taskStatus: string | null }
  /** 429, or 5xx with a code: it did nothing, and asks for a retry. */
  | { kind: 'retryable'; retryAfterMs: number | null; code: string; message: string }
  /** 401 with every secret there is. */
  | { kind: 'unauthorized'; message: string }
  /** Nothing was sent. */
  | { kind: 'notSent'; message: string }
  /** A time-out, a connection that broke after sending, a 5xx without a code, a response that cannot be read. */
  | { kind: 'ambiguous'; message: string };

export type Failure = Exclude<Outcome<never>, { kind: 'accepted' }>;

/** How a call failed for operators; null if the platform has said what becomes of it. */
export function callFailureOf({ kind }: Pick<Outcome<unknown>, 'kind'>): CallFailure | null {
  switch (kind) {
    case 'accepted':
    case 'rejected':
      return null;
    case 'unauthorized':
      return 'unauthorized';
    case 'retryable':
      return 'error';
    case 'notSent':
    case 'ambiguous':
      return 'no_response';
  }
}

interface ErrorBody {
  code?: unknown;
  message?: unknown;
  contactIds?: unknown;
  status?: unknown;
}

function readObject(body: string): Record<string, unknown> {
  try {
    const value = parseExact(body);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** PostgreSQL stores no NUL: the outcome that this describes must be stored whatever it says. */
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.replaceAll('\u0000', '\uFFFD') : null;

function classifyError(response: HttpResponse, now: number): Failure {
  const body: ErrorBody = readObject(response.body);
  const code = text(body.code);
  const message = text(body.message) ?? `HTTP ${response.status}`;
  if (response.status === 401) return { kind: 'unauthorized', message };
  if (response.status === 429 || (response.status >= 500 && code !== null)) {
    const wait = retryAfterMs(response.retryAfter, now);
    return { kind: 'retryable', retryAfterMs: wait, code: code ?? 'rate_limited', message };
  }
  if (response.status >= 500) return { kind: 'ambiguous', message: `HTTP ${response.status} without a code` };
  const contactIds = Array.isArray(body.contactIds)
    ? body.contactIds.flatMap((id) => respondedId.safeParse(id).data ?? [])
    : [];
  return {
    kind: 'rejected',
    status: response.status,
    code: code ?? `http_${response.status}`,
    message,
    contactIds,
    taskStatus: text(body.status),
  };
}

/** For how many milliseconds the platform asks not to be called at all (429 or 503 with `Retry-After`); null if not. */
export function pauseAskedFor(exchange: Exchange, now: number): number | null {
  if (exchange.kind === 'failed') return null;
  const { status, retryAfter } = exchange.response;
  return status === 429 || status === 503 ? retryAfterMs(retryAfter, now) : null;
}

/**
 * Classifies how an exchange ended. `read` returns the value of a 2xx response, or null if it cannot be understood;
 * since the call still took effect, that counts as ambiguous.
 */
export function classify<Value>(
  exchange: Exchange,
  read: (body: Record<string, unknown>) => Value | null,
  now: number,
): Outcome<Value> {
  if (exchange.kind === 'failed') {
    return { kind: neverArrived(exchange) ? 'notSent' : 'ambiguous', message: exchange.message };
  }
  const { response } = exchange;
  if (response.status < 200 || response.status >= 300) return classifyError(response, now);
  const value = read(readObject(response.body));
  return value === null
    ? { kind: 'ambiguous', message: `HTTP ${response.status} with a response that cannot be read` }
    : { kind: 'accepted', value };
}
