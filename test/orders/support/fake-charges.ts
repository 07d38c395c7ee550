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
}

export interface GatewayCall {
  operation: 'create' | 'read' | 'list' | 'cancel' | 'refund';
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

/** A refund of the amount, or of what is left; the charge stays `paid` until nothing is left. */
function refund(charge: FakeCharge, { body }: GatewayCall): FakeResponse {
  const { status } = charge;
  if (status === 'refunded') return [409, { code: 'already_refunded', status }];
  if (status !== 'paid') return [409, { code: 'not_paid', status }];
  const left = inCents(charge.amount) - inCents(charge.refundedAmount);
  const asked = body['amount'] ?? left / 100;
  if (typeof asked !== 'number' || asked <= 0) return [422, { code: 'invalid_request' }];
  if (inCents(asked) > left) return [422, { code: 'amount_too_large' }];
  charge.refundedAmount = (inCents(charge.refundedAmount) + inCents(asked)) / 100;
  if (inCents(asked) === left) charge.status = 'refunded';
  return [200, { ...charge }];
}

/** The charges of a gateway, and what it responds to each call; a key's first response is repeated for ever. */
export function createFakeCharges() {
  const charges = new Map<string, FakeCharge>();
  const firstResponses = new Map<string, FakeResponse>();

  function effect(call: GatewayCall): FakeResponse {
    if (call.operation === 'create') return create(charges, call);
    if (call.operation === 'list') return list(charges, call);
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
