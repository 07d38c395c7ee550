import type { Journal, Slice } from '../journal.ts';

/** A call received by the sandbox. Bodies are stored separately, and only while there is room. */
export interface RecordedCall {
  number: number;
  at: string;
  route: string;
  method: string;
  path: string;
  /** Null if the connection was destroyed before a response was sent. */
  status: number | null;
  code?: string;
  signature?: 'ok' | 'refused';
  tenantIntegrationId?: string;
  nonce?: string;
  idempotencyKey?: string;
  fault?: string;
  bodyBytes: number;
  durationMs: number;
}

export interface CallFilter {
  route?: string;
  since?: number;
  limit: number;
  bodies: boolean;
}

const KEPT_CALLS = 20_000;
const KEPT_BODY_BYTES = 64 << 20;

/** The log of received calls; its lines survive a restart, the bodies do not. */
export function createCallLog(journal: Journal) {
  let calls: RecordedCall[] = [];
  let last = 0;
  const bodies = new Map<number, { body: Buffer; response: unknown }>();
  let bodyBytes = 0;

  const slice: Slice<RecordedCall> = {
    apply(call) {
      calls.push(call);
      last = Math.max(last, call.number);
      if (calls.length > KEPT_CALLS * 2) calls = calls.slice(-KEPT_CALLS);
    },
    dump: () => calls.slice(-KEPT_CALLS),
  };

  function keepBody(number: number, body: Buffer, response: unknown): void {
    bodies.set(number, { body, response });
    bodyBytes += body.length;
    for (const [oldest, kept] of bodies) {
      if (bodyBytes <= KEPT_BODY_BYTES) break;
      bodies.delete(oldest);
      bodyBytes -= kept.body.length;
    }
  }

  function shown(call: RecordedCall, withBody: boolean) {
    if (!withBody) return call;
    const kept = bodies.get(call.number);
    return { ...call, body: kept ? readable(kept.body) : undefined, answer: kept?.response };
  }

  return {
    record: journal.register('calls', slice),
    nextNumber: () => (last += 1),
    keepBody,
    list({ route, since = 0, limit, bodies: withBodies }: CallFilter) {
      const matching = calls.filter((call) => (!route || call.route === route) && call.number > since);
      return {
        total: matching.length,
        items: matching.slice(-limit).map((call) => shown(call, withBodies)),
      };
    },
  };
}

export type CallLog = ReturnType<typeof createCallLog>;

function readable(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
