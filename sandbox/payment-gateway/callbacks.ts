import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Faults } from '../faults.ts';
import type { Journal } from '../journal.ts';
import { createId } from '../random.ts';
import type { Charge, Dispute, Refund } from './charges.ts';

/** A report about a payment, retried until the response is 200 or a fault loses it. */
export interface Callback {
  eventId: string;
  chargeId: string;
  url: string;
  body: string;
  /** `lost`: given up by a fault, without ever having arrived. */
  status: 'pending' | 'confirmed' | 'lost';
  attempts: number;
  /** Null if there was no response. */
  lastStatus: number | null;
}

/** The content of a callback; tests may report something other than the charge. */
export interface CallbackChanges {
  eventId?: string | undefined;
  amount?: number | undefined;
  currency?: string | undefined;
  shopId?: string | undefined;
  orderNo?: string | undefined;
}

/** The same for a callback about a refund. */
export interface RefundCallbackChanges extends CallbackChanges {
  refundId?: string | undefined;
}

/** The same for a callback about a dispute. */
export interface DisputeCallbackChanges extends CallbackChanges {
  disputeId?: string | undefined;
}

type Entry =
  | { kind: 'callback'; callback: Callback }
  | { kind: 'confirmed'; eventId: string; attempts: number }
  | { kind: 'lost'; eventId: string };

const KEPT_ENDED = 10_000;
const LONGEST_WAIT_MS = 30_000;

function createCallbackLog(journal: Journal) {
  const callbacks = new Map<string, Callback>();
  const record = journal.register<Entry>('callbacks', {
    apply(entry) {
      if (entry.kind === 'callback') return void callbacks.set(entry.callback.eventId, entry.callback);
      const callback = callbacks.get(entry.eventId);
      if (!callback) return;
      if (entry.kind === 'lost') callback.status = 'lost';
      else Object.assign(callback, { status: 'confirmed', attempts: entry.attempts, lastStatus: 200 });
    },
    *dump() {
      const all = [...callbacks.values()];
      const ended = all.filter((callback) => callback.status !== 'pending').slice(-KEPT_ENDED);
      const pending = all.filter((callback) => callback.status === 'pending');
      for (const callback of [...ended, ...pending]) yield { kind: 'callback', callback };
    },
  });
  return {
    list: () => [...callbacks.values()],
    add: (callback: Callback) => record({ kind: 'callback', callback }),
    confirm: ({ eventId, attempts }: Callback) => record({ kind: 'confirmed', eventId, attempts }),
    lose: ({ eventId }: Callback) => record({ kind: 'lost', eventId }),
  };
}

/** One transmission; null if there was no response. */
async function transmit(agent: Agent, secret: string, { url, body }: Callback): Promise<number | null> {
  try {
    const headers = { 'content-type': 'application/json', 'x-gateway-signature': signatureOf(secret, body) };
    const response = await request(url, { method: 'POST', dispatcher: agent, headers, body });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return null;
  }
}

/** Callbacks about payments: journalled, signed, retried until the response is 200, unless a fault loses them. */
export function createCallbacks(journal: Journal, secret: string, faults: Faults) {
  const log = createCallbackLog(journal);
  const agent = new Agent({ connections: 16, headersTimeout: 30_000, connectTimeout: 5000 });
  const abort = new AbortController();
  const { signal } = abort;

  /** The status of the response, null if there was none, or that the callback is lost. */
  async function attempt(callback: Callback): Promise<number | null | 'lost'> {
    const { delayMs, fault } = faults.take({ route: 'callback', body: callback.body });
    const held = delayMs + (fault?.mode === 'reorder' ? fault.delayMs : 0);
    if (held > 0) await pause(held, undefined, { signal });
    if (fault?.mode === 'lost') return 'lost';
    if (fault?.mode === 'reset') return null;
    if (fault?.mode === 'status' && !fault.afterEffect) return fault.status;
    const status = await transmit(agent, secret, callback);
    if (fault?.mode === 'duplicate') await transmit(agent, secret, callback);
    if (fault?.mode === 'status') return fault.status;
    return fault?.mode === 'lost-answer' ? null : status;
  }

  async function deliver(callback: Callback): Promise<void> {
    while (!signal.aborted) {
      const result = await attempt(callback);
      if (signal.aborted) return;
      if (result === 'lost') return log.lose(callback);
      callback.lastStatus = result;
      callback.attempts += 1;
      if (callback.lastStatus === 200) return log.confirm(callback);
      const wait = Math.min(LONGEST_WAIT_MS, 200 * 2 ** Math.min(callback.attempts - 1, 10));
      await pause(wait, undefined, { signal });
    }
  }

  function begin(callback: Callback): void {
    deliver(callback).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  function add(callback: Callback): Callback {
    log.add(callback);
    begin(callback);
    return callback;
  }

  /** All report to the charge's callbackURL. */
  return {
    list: log.list,
    send: (charge: Charge, changes: CallbackChanges = {}): Callback => add(draft(charge, changes)),
    /** Whoever made the refund. */
    sendRefund: (charge: Charge, refund: Refund, changes: RefundCallbackChanges = {}): Callback =>
      add(refundDraft(charge, refund, changes)),
    sendDispute: (charge: Charge, dispute: Dispute, changes: DisputeCallbackChanges = {}): Callback =>
      add(disputeDraft(charge, dispute, changes)),
    /** The end of a dispute. */
    sendClosure: (charge: Charge, dispute: Dispute, changes: DisputeCallbackChanges = {}): Callback =>
      add(closureDraft(charge, dispute, changes)),
    resume(): void {
      for (const callback of log.list()) if (callback.status === 'pending') begin(callback);
    },
    async stop(): Promise<void> {
      abort.abort();
      await agent.destroy();
    },
  };
}

export type Callbacks = ReturnType<typeof createCallbacks>;

function callbackOf(
  { chargeId, callbackURL: url }: Charge,
  fields: { eventId: string } & Record<string, unknown>,
  changes: CallbackChanges,
): Callback {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const content = { ...fields, ...given };
  const { eventId } = content;
  return { eventId, chargeId, url, body: JSON.stringify(content), status: 'pending', attempts: 0, lastStatus: null };
}

function draft(charge: Charge, changes: CallbackChanges): Callback {
  const { chargeId, orderNo, shopId, amount, currency, paidAt } = charge;
  const about = { chargeId, orderNo, shopId, amount, currency, paidAt };
  return callbackOf(charge, { eventId: createId('pay'), type: 'charge.paid', ...about }, changes);
}

function refundDraft(charge: Charge, { refundId, key, amount, at }: Refund, changes: RefundCallbackChanges): Callback {
  const { chargeId, orderNo, shopId, currency } = charge;
  const about = { chargeId, refundId, amount, orderNo, shopId, currency, refundedAt: at };
  const made = key === null ? {} : { idempotencyKey: key };
  return callbackOf(charge, { eventId: createId('refunded'), type: 'charge.refunded', ...about, ...made }, changes);
}

function disputeDraft(charge: Charge, dispute: Dispute, changes: DisputeCallbackChanges): Callback {
  const { chargeId, orderNo, shopId, currency } = charge;
  const { disputeId, amount, reason, dueAt, openedAt } = dispute;
  const about = { chargeId, disputeId, amount, reason, dueAt, orderNo, shopId, currency, openedAt };
  return callbackOf(charge, { eventId: createId('disputed'), type: 'charge.disputed', ...about }, changes);
}

function closureDraft(charge: Charge, dispute: Dispute, changes: DisputeCallbackChanges): Callback {
  const { orderNo, shopId, currency } = charge;
  const { disputeId, outcome, closedAt } = dispute;
  const about = { disputeId, outcome, orderNo, shopId, currency, closedAt };
  // An end names no amount.
  const given = { ...changes, amount: undefined };
  return callbackOf(charge, { eventId: createId('closed'), type: 'charge.dispute_closed', ...about }, given);
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>` */
function signatureOf(secret: string, body: string, now = Date.now()): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
