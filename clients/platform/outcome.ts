import { receivedId } from '../../domain/api/primitives.ts';
import { parseExact } from '../../domain/json-text.ts';
import { retryAfterMs } from '../../domain/retry-after.ts';

/**
 * How a call to the platform ended, by what is certain about its effect. Only `ambiguous` leaves that open: such a call
 * is repeated only where repeating does no harm.
 */
export type Outcome<Value> =
  | { kind: 'accepted'; value: Value }
  /** 4xx: the platform will not do it, now or later. */
  | { kind: 'refused'; status: number; code: string; message: string; contactIds: string[]; taskStatus: string | null }
  /** 429, or 5xx with a code: it did nothing, and wants to be asked again. */
  | { kind: 'retryable'; retryAfterMs: number | null; code: string; message: string }
  /** 401 with every secret there is. */
  | { kind: 'unauthorized'; message: string }
  /** No connection: nothing was sent. */
  | { kind: 'notSent'; message: string }
  /** Time-out, a connection that broke after sending, 5xx without a code, an answer that cannot be read. */
  | { kind: 'ambiguous'; message: string };

export type Failure = Exclude<Outcome<never>, { kind: 'accepted' }>;

/** An answer as it came. */
export interface RawResponse {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/** What came of one HTTP request; `sent` says whether anything may have reached the other side. */
export type Exchange = { response: RawResponse } | { sent: boolean; message: string };

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

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function classifyError(response: RawResponse, now: number): Failure {
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
    ? body.contactIds.flatMap((id) => receivedId.safeParse(id).data ?? [])
    : [];
  return {
    kind: 'refused',
    status: response.status,
    code: code ?? `http_${response.status}`,
    message,
    contactIds,
    taskStatus: text(body.status),
  };
}

/**
 * Classifies what came of a request. `read` gives the value of a 2xx answer, or null where it cannot be understood: the
 * effect took place all the same, so that counts as ambiguous.
 */
export function classify<Value>(
  exchange: Exchange,
  read: (body: Record<string, unknown>) => Value | null,
  now: number,
): Outcome<Value> {
  if (!('response' in exchange)) {
    return { kind: exchange.sent ? 'ambiguous' : 'notSent', message: exchange.message };
  }
  const { response } = exchange;
  if (response.status < 200 || response.status >= 300) return classifyError(response, now);
  const value = read(readObject(response.body));
  return value === null
    ? { kind: 'ambiguous', message: `HTTP ${response.status} with an answer that cannot be read` }
    : { kind: 'accepted', value };
}
