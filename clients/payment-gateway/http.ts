import { retryAfterMs } from '../../domain/retry-after.ts';

/** The outcome of a call is not known, or the gateway asks to come back later; the call may be repeated with its key. */
export class GatewayUnclear extends Error {
  override name = 'GatewayUnclear';
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

export type Answer =
  | { kind: 'answered'; status: number; body: unknown; retryAfterMs: number | null }
  /** The connection was never made, so that nothing can have happened. */
  | { kind: 'unreachable'; reason: string };

/** Failures before the first byte of a request left. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const DEFAULT_TIMEOUT_MS = 5000;
/** Meanwhile a payer waits, or holds that have run out stay. */
const LONGEST_WAIT_MS = 60_000;

function codeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } }).cause;
  return String(cause?.code ?? cause?.errors?.[0]?.code ?? '');
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON (a proxy's error page) says nothing about the charge; callers judge by its absence.
    return undefined;
  }
}

/**
 * One call to the payment gateway.
 * @throws GatewayUnclear where a connection was made and no whole answer came back.
 */
export async function gatewayFetch(
  options: { baseUrl: string; key: string; timeoutMs?: number },
  call: { method: 'GET' | 'POST'; path: string; idempotencyKey?: string; body?: unknown },
): Promise<Answer> {
  try {
    const response = await fetch(`${options.baseUrl}${call.path}`, {
      method: call.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${options.key}`,
        accept: 'application/json',
        ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const wait = retryAfterMs(response.headers.get('retry-after'), Date.now(), LONGEST_WAIT_MS);
    return { kind: 'answered', status: response.status, body: await bodyOf(response), retryAfterMs: wait };
  } catch (error) {
    const code = codeOf(error);
    if (NEVER_CONNECTED.has(code)) return { kind: 'unreachable', reason: code };
    throw new GatewayUnclear(
      `the payment gateway did not answer ${call.method} (${code || (error as Error).name})`,
      null,
      error,
    );
  }
}
