import { z } from 'zod';
import { type ChargeStatus, chargeStatuses } from '#domain/orders/charge-comparison.ts';
import { retryAfterMs } from '#domain/retry-after.ts';
import { createHttpExchange, type ExchangeOptions, type HttpExchange } from '../http/exchange.ts';
import { isUnreachable } from '../http/never-arrived.ts';

/** The outcome of a call is unknown, or the gateway asks for a later retry. The call may be retried with its key. */
export class GatewayUnclear extends Error {
  override name = 'GatewayUnclear';
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The gateway responded, and what it shows has to change before the call can succeed: nothing is wrong with its service. */
export class GatewayLags extends GatewayUnclear {}

export interface GatewayDeps {
  baseUrl: string;
  /** The Bearer key. */
  key: string;
  exchange: HttpExchange;
}

export interface ChargeRequest {
  shopId: string;
  orderNo: string;
  /** In units, not cents. */
  amount: number;
  currency: string;
  description: string;
  resultURL?: string;
  cancelURL?: string;
  callbackURL: string;
  /** ISO 8601. */
  expiresAt: string;
}

export interface Charge {
  chargeId: string;
  status: ChargeStatus;
  /** In units, not cents, like all amounts here. */
  amount: number;
  currency: string;
  shopId: string;
  /** ISO 8601; null if the charge was never paid, or the gateway does not say. */
  paidAt: string | null;
  /** Amount refunded so far: below `amount` while `paid`; 0 if the gateway does not say. */
  refundedAmount: number;
  /** Amount of its disputes that are open or lost, apart from what was refunded; null if the gateway does not say. */
  disputedAmount: number | null;
}

export interface ListedCharge extends Charge {
  orderNo: string;
}

export interface ChargePage {
  items: ListedCharge[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface ChargeQuery {
  shopId: string;
  /** ISO 8601: charges created or paid from here on … */
  from: string;
  /** … and before this. */
  to: string;
  /** Null for the first page. */
  cursor: string | null;
}

export interface ListedRefund {
  refundId: string;
  chargeId: string;
  orderNo: string;
  /** In units. */
  amount: number;
  currency: string;
  /** ISO 8601. */
  refundedAt: string;
  /** Of the request of ours that made it; null if none did. */
  idempotencyKey: string | null;
}

export interface RefundPage {
  items: ListedRefund[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** What is certain about a charge after an attempt to create it; anything uncertain is thrown as GatewayUnclear. */
export type ChargeOutcome =
  | { kind: 'created'; chargeId: string; paymentUrl: string }
  /** No charge exists for this key, and none will. */
  | { kind: 'rejected'; code: string }
  /** This request made no charge; an earlier one with the same key may have. */
  | { kind: 'invalid'; code: string }
  /** The request was not processed: connection refused, or key rejected. */
  | { kind: 'not_reached'; reason: string };

/** How a charge that should be cancelled ended. */
export type CancelOutcome = 'cancelled' | 'paid';

/**
 * What is certain about a refund after an attempt; anything uncertain is thrown as GatewayUnclear. The gateway returns
 * its first response for a key again, so a refund that was rejected can only be asked for again with another key.
 */
export type RefundOutcome =
  /** The gateway's id of the refund; null if it does not say. */
  | { kind: 'confirmed'; refundId: string | null }
  /** All of the charge has been given back, by whichever refund. */
  | { kind: 'already_refunded' }
  /** The gateway's records do not show the money; the status is null if the gateway does not say. */
  | { kind: 'not_paid'; status: ChargeStatus | null }
  /** The request itself is wrong, for example an amount above what is left. */
  | { kind: 'rejected'; code: string };

const createdSchema = z.object({ chargeId: z.string().min(1), paymentUrl: z.string().min(1) });
const rejectionSchema = z.object({ code: z.string().catch('rejected') }).catch({ code: 'rejected' });
const statusSchema = z.enum(chargeStatuses);
const chargeSchema = z.object({
  chargeId: z.string(),
  status: statusSchema,
  amount: z.number(),
  currency: z.string(),
  shopId: z.string(),
  paidAt: z
    .string()
    .nullish()
    .transform((at) => at ?? null),
  refundedAmount: z
    .number()
    .nullish()
    .transform((amount) => amount ?? 0),
  disputedAmount: z
    .number()
    .nullish()
    .transform((amount) => amount ?? null),
});
const nextCursor = z
  .string()
  .nullish()
  .transform((cursor) => cursor || null);
const pageSchema = z.object({ items: z.array(chargeSchema.extend({ orderNo: z.string() })), nextCursor });
const refundPageSchema = z.object({
  items: z.array(
    z.object({
      refundId: z.string().min(1),
      chargeId: z.string().min(1),
      orderNo: z.string(),
      amount: z.number(),
      currency: z.string(),
      refundedAt: z.string(),
      idempotencyKey: z
        .string()
        .nullish()
        .transform((key) => key ?? null),
    }),
  ),
  nextCursor,
});
const refundIdOnly = z.object({ refundId: z.string().min(1) });
const statusOnly = z.object({ status: statusSchema });
const codeOnly = z.object({ code: z.string().min(1) });

/** Statuses returned before the request is processed. */
const notAdmitted = new Set([401, 403, 404]);
/** Statuses that reject a refund for good: the last two if a code says so; without one, a proxy may have responded. */
const refundRejections = { always: new Set([400, 422]), withCode: new Set([404, 410]) };

/** Meanwhile a payer waits, or expired holds stay in place. */
const LONGEST_WAIT_MS = 60_000;

type GatewayResponse =
  | { kind: 'responded'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'unreachable'; reason: string };

/** Creates the exchange for calls to the payment gateway. */
export function createGatewayExchange(more: Partial<ExchangeOptions> = {}): HttpExchange {
  return createHttpExchange({
    timeoutMs: 5000,
    connections: null,
    // Longer than a call may take: a gateway slow to accept connections is called again with the same key.
    connectTimeoutMs: 10_000,
    ...more,
  });
}

/** Undefined for a body that is not JSON, such as a proxy's error page, which says nothing about the charge. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface GatewayCall {
  method: 'GET' | 'POST';
  path: string;
  idempotencyKey?: string;
  body?: unknown;
}

/** @throws GatewayUnclear if the call may have arrived and no complete response came back. */
async function callGateway({ baseUrl, key, exchange }: GatewayDeps, call: GatewayCall): Promise<GatewayResponse> {
  const { method, path, idempotencyKey, body } = call;
  const result = await exchange.send({
    method,
    url: new URL(`${baseUrl}${path}`),
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (result.kind === 'responded') {
    const { status, retryAfter, body: text } = result.response;
    const wait = retryAfterMs(retryAfter, Date.now(), LONGEST_WAIT_MS);
    return { kind: 'responded', status, body: parseBody(text), retryAfterMs: wait };
  }
  if (isUnreachable(result)) return { kind: 'unreachable', reason: result.code };
  throw new GatewayUnclear(`the payment gateway did not respond to ${method} (${result.code})`, null, result.cause);
}

function chargeOutcome(response: GatewayResponse): ChargeOutcome {
  if (response.kind === 'unreachable') return { kind: 'not_reached', reason: response.reason };
  const { code } = rejectionSchema.parse(response.body);
  if (response.status === 422) return { kind: 'rejected', code };
  if (response.status === 400) return { kind: 'invalid', code };
  if (notAdmitted.has(response.status)) return { kind: 'not_reached', reason: `responded ${response.status}` };
  const created = createdSchema.safeParse(response.body);
  if ((response.status === 201 || response.status === 200) && created.success)
    return { kind: 'created', ...created.data };
  throw new GatewayUnclear(`creating a charge got status ${response.status}`, response.retryAfterMs);
}

/** The status in a response to cancel or refund; null if it has none. */
const statusIn = (response: GatewayResponse): ChargeStatus | null =>
  response.kind === 'responded' ? (statusOnly.safeParse(response.body).data?.status ?? null) : null;

const codeIn = (body: unknown): string | null => codeOnly.safeParse(body).data?.code ?? null;

function refundOutcome(response: GatewayResponse): RefundOutcome {
  if (response.kind === 'unreachable') throw unclear('refunding a charge', response);
  const { status, body } = response;
  const code = codeIn(body);
  if (status === 200) return { kind: 'confirmed', refundId: refundIdOnly.safeParse(body).data?.refundId ?? null };
  if (status === 409) {
    const charge = statusIn(response);
    if (charge === 'refunded' || code === 'already_refunded') return { kind: 'already_refunded' };
    if (code === 'not_paid' || (charge !== null && charge !== 'paid')) return { kind: 'not_paid', status: charge };
  }
  if (refundRejections.always.has(status)) return { kind: 'rejected', code: code ?? 'rejected' };
  if (refundRejections.withCode.has(status) && code !== null) return { kind: 'rejected', code };
  throw unclear('refunding a charge', response);
}

function unclear(what: string, response: GatewayResponse): GatewayUnclear {
  return response.kind === 'unreachable'
    ? new GatewayUnclear(`${what}: ${response.reason}`)
    : new GatewayUnclear(`${what} got status ${response.status}`, response.retryAfterMs);
}

/** @throws GatewayUnclear unless the response is 200 with the described body. */
function bodyOf<Body>(what: string, response: GatewayResponse, schema: z.ZodType<Body>): Body {
  const body = response.kind === 'responded' && response.status === 200 ? schema.safeParse(response.body) : null;
  if (body?.success) return body.data;
  throw unclear(what, response);
}

/**
 * The payment gateway's API (section 7 of the contract). Throws GatewayUnclear for anything that may have had an
 * effect we do not know of.
 */
export function createPaymentGateway(deps: GatewayDeps) {
  const call = (method: 'GET' | 'POST', path: string, more: { idempotencyKey?: string; body?: unknown } = {}) =>
    callGateway(deps, { method, path, ...more });
  const pathOf = (chargeId: string) => `/v1/charges/${encodeURIComponent(chargeId)}`;

  return {
    async createCharge(idempotencyKey: string, request: ChargeRequest): Promise<ChargeOutcome> {
      return chargeOutcome(await call('POST', '/v1/charges', { idempotencyKey, body: request }));
    },

    async readCharge(chargeId: string): Promise<Charge> {
      const response = await call('GET', pathOf(chargeId));
      return bodyOf('reading a charge', response, chargeSchema);
    },

    /** Like readCharge; null if the gateway says that it has no such charge. */
    async findCharge(chargeId: string): Promise<Charge | null> {
      const response = await call('GET', pathOf(chargeId));
      const unknown = response.kind === 'responded' && response.status === 404 && codeIn(response.body) !== null;
      return unknown ? null : bodyOf('reading a charge', response, chargeSchema);
    },

    /** One page of the shop's charges that were created or paid in the period. */
    async listCharges({ shopId, from, to, cursor }: ChargeQuery): Promise<ChargePage> {
      const query = new URLSearchParams({ shopId, from, to, ...(cursor === null ? {} : { cursor }) });
      const response = await call('GET', `/v1/charges?${query.toString()}`);
      return bodyOf('listing charges', response, pageSchema);
    },

    /** One page of the shop's refunds in the period; null if the gateway has no such list. */
    async listRefunds({ shopId, from, to, cursor }: ChargeQuery): Promise<RefundPage | null> {
      const query = new URLSearchParams({ shopId, from, to, ...(cursor === null ? {} : { cursor }) });
      const response = await call('GET', `/v1/refunds?${query.toString()}`);
      if (response.kind === 'responded' && response.status === 404) return null;
      return bodyOf('listing refunds', response, refundPageSchema);
    },

    /**
     * Returns `paid` also where the money went back since, and `cancelled` also if the charge had already expired or been
     * cancelled.
     */
    async cancelCharge(chargeId: string): Promise<CancelOutcome> {
      const response = await call('POST', `${pathOf(chargeId)}/cancel`, { body: {} });
      const status = statusIn(response);
      if (response.kind === 'responded' && response.status === 200) return status === 'paid' ? 'paid' : 'cancelled';
      if (response.kind === 'responded' && response.status === 409) {
        if (status === 'paid' || status === 'refunded') return 'paid';
        if (status === 'cancelled' || status === 'expired') return 'cancelled';
      }
      throw unclear('cancelling a charge', response);
    },

    /** Requests a refund of `amount` units; null: of the remainder. */
    async refundCharge(idempotencyKey: string, chargeId: string, amount: number | null): Promise<RefundOutcome> {
      const body = amount === null ? {} : { amount };
      return refundOutcome(await call('POST', `${pathOf(chargeId)}/refund`, { idempotencyKey, body }));
    },
  };
}

export type PaymentGateway = ReturnType<typeof createPaymentGateway>;
