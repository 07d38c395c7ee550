import { randomUUID } from 'node:crypto';

export interface FakeCharge {
  chargeId: string;
  status: 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded';
  /** In units, not cents. */
  amount: number;
  currency: string;
  shopId: string;
  orderNo: string;
  callbackURL: string;
  expiresAt: string;
  createdAt: string;
  /** Absent until the payer pays; tests that only set the status leave it absent. */
  paidAt?: string;
  refundedAmount: number;
  refunds?: FakeRefund[];
  /** Of disputes that are open or lost; absent until there is one. */
  disputedAmount?: number;
}

export interface FakeDispute {
  disputeId: string;
  /** In units. */
  amount: number;
  reason: string;
  dueAt: string;
}

export interface FakeRefund {
  refundId: string;
  /** In units. */
  amount: number;
  refundedAt: string;
  /** Absent where it was made at the desk. */
  idempotencyKey?: string;
}

export interface GatewayCall {
  operation: 'create' | 'read' | 'list' | 'cancel' | 'refund' | 'refunds';
  idempotencyKey: string | undefined;
  chargeId: string | undefined;
  /** Of a list: `shopId`, `from`, `to`, `cursor`. */
  query: Record<string, string>;
  body: Record<string, unknown>;
}

/** A status and a JSON body. */
export type FakeResponse = [number, object];

const PAGE = 100;
const inCents = (units: number): number => Math.round(units * 100);

function create(charges: Map<string, FakeCharge>, { body }: GatewayCall): FakeResponse {
  const chargeId = `ch-${randomUUID()}`;
  const request = body as unknown as Omit<FakeCharge, 'chargeId' | 'status' | 'createdAt' | 'refundedAmount'>;
  charges.set(chargeId, {
    ...request,
    chargeId,
    status: 'pending',
    createdAt: new Date().toISOString(),
    refundedAmount: 0,
  });
  return [201, { chargeId, status: 'pending', paymentUrl: `http://pay.test/${chargeId}` }];
}

/** Oldest first; a charge belongs to the period if it was created or paid in it. */
function list(charges: Map<string, FakeCharge>, { query }: GatewayCall): FakeResponse {
  const [start, end] = [Date.parse(query['from'] ?? ''), Date.parse(query['to'] ?? '')];
  if (!query['shopId'] || Number.isNaN(start) || Number.isNaN(end)) return [400, { code: 'invalid_request' }];
  const within = (at = ''): boolean => Date.parse(at) >= start && Date.parse(at) < end;
  const all = [...charges.values()];
  const cursor = query['cursor'] === undefined ? -1 : all.findIndex(({ chargeId }) => chargeId === query['cursor']);
  if (query['cursor'] !== undefined && cursor < 0) return [400, { code: 'invalid_request' }];
  const matching = all
    .slice(cursor + 1)
    .filter((charge) => charge.shopId === query['shopId'] && (within(charge.createdAt) || within(charge.paidAt)));
  const items = matching.slice(0, PAGE);
  return [200, { items, nextCursor: matching.length > PAGE ? items.at(-1)?.chargeId : null }];
}

function cancel(charge: FakeCharge): FakeResponse {
  if (charge.status !== 'pending') return [409, { code: 'not_pending', status: charge.status }];
  charge.status = 'cancelled';
  return [200, { ...charge }];
}

/** The refunds of a shop in a period, oldest first within a charge. */
function listRefunds(charges: Map<string, FakeCharge>, { query }: GatewayCall): FakeResponse {
  const [start, end] = [Date.parse(query['from'] ?? ''), Date.parse(query['to'] ?? '')];
  const all = [...charges.values()]
    .filter(({ shopId }) => shopId === query['shopId'])
    .flatMap(({ chargeId, orderNo, currency, refunds = [] }) =>
      refunds.map((refund) => ({ ...refund, chargeId, orderNo, currency })),
    )
    .filter(({ refundedAt }) => Date.parse(refundedAt) >= start && Date.parse(refundedAt) < end);
  const from = query['cursor'] === undefined ? 0 : Number(query['cursor']);
  const items = all.slice(from, from + PAGE);
  return [200, { items, nextCursor: all.length > from + PAGE ? String(from + PAGE) : null }];
}

/** A refund of the amount that is left to give back; the charge stays `paid` until nothing is left. */
export function refundFake(charge: FakeCharge, amount: number, idempotencyKey?: string): FakeRefund {
  const made = { refundId: `re-${randomUUID()}`, amount, refundedAt: new Date().toISOString() };
  const refund = { ...made, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  (charge.refunds ??= []).push(refund);
  charge.refundedAmount = (inCents(charge.refundedAmount) + inCents(amount)) / 100;
  if (inCents(charge.refundedAmount) === inCents(charge.amount)) charge.status = 'refunded';
  return refund;
}

/** The payer claims the amount back, or is found to be wrong (negative). */
export function disputeFake(charge: FakeCharge, amount: number): void {
  charge.disputedAmount = (inCents(charge.disputedAmount ?? 0) + inCents(amount)) / 100;
}

/** A refund of the amount, or of what is left. */
function refund(charge: FakeCharge, { body, idempotencyKey }: GatewayCall): FakeResponse {
  const { status } = charge;
  if (status === 'refunded') return [409, { code: 'already_refunded', status }];
  if (status !== 'paid') return [409, { code: 'not_paid', status }];
  const left = inCents(charge.amount) - inCents(charge.refundedAmount) - inCents(charge.disputedAmount ?? 0);
  const asked = body['amount'] ?? left / 100;
  if (typeof asked !== 'number' || asked <= 0) return [422, { code: 'invalid_request' }];
  if (inCents(asked) > left) return [422, { code: 'amount_too_large' }];
  const { refundId } = refundFake(charge, asked, idempotencyKey);
  const { chargeId, status: now, refundedAmount } = charge;
  return [200, { refundId, chargeId, status: now, refundedAmount }];
}

/** The charges of a gateway, and what it responds to each call; a key's first response is repeated for ever. */
export function createFakeCharges() {
  const charges = new Map<string, FakeCharge>();
  const firstResponses = new Map<string, FakeResponse>();

  function effect(call: GatewayCall): FakeResponse {
    if (call.operation === 'create') return create(charges, call);
    if (call.operation === 'list') return list(charges, call);
    if (call.operation === 'refunds') return listRefunds(charges, call);
    const charge = charges.get(call.chargeId ?? '');
    if (!charge) return [404, { code: 'no_such_charge' }];
    if (call.operation === 'cancel') return cancel(charge);
    return call.operation === 'refund' ? refund(charge, call) : [200, { ...charge }];
  }

  return {
    charges,
    respond(call: GatewayCall): FakeResponse {
      if (call.operation !== 'create' && call.operation !== 'refund') return effect(call);
      if (!call.idempotencyKey) return [400, { code: 'idempotency_key_missing' }];
      const key = `${call.operation} ${call.idempotencyKey}`;
      const response = firstResponses.get(key) ?? effect(call);
      firstResponses.set(key, response);
      return response;
    },
  };
}
