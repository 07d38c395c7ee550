import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { header, ok, param, SandboxError, route } from '../http/route.ts';
import type { ApiResponse, Call, Handler, Route } from '../http/route.ts';
import { createId } from '../random.ts';
import { presentCharge, presentedSchema, statusNow } from './charges.ts';
import type { Charge, Charges, KeyedResponse } from './charges.ts';

export interface PaymentGatewayDeps {
  charges: Charges;
  /** The caller's Bearer key. */
  apiKey: string;
  /** The gateway's base URL, such as `http://127.0.0.1:4010/payment-gateway`. */
  baseUrl: string;
}

const httpUrl = z.url({ protocol: /^https?$/ }).max(2000);
const chargeSchema = z.object({
  shopId: z.string().min(1).max(200),
  orderNo: z.string().min(1).max(200),
  amount: z.number().positive().max(9_999_999_999.99).multipleOf(0.01),
  currency: z.string().regex(/^[A-Z]{3}$/),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? undefined),
  resultURL: httpUrl.nullish().transform((url) => url ?? undefined),
  cancelURL: httpUrl.nullish().transform((url) => url ?? undefined),
  callbackURL: httpUrl,
  expiresAt: z.iso.datetime({ offset: true }),
});

const createdSchema = presentedSchema.pick({ chargeId: true, status: true }).extend({ paymentUrl: z.string() });
const keyed = { access: 'key', headers: z.object({ 'idempotency-key': z.string().min(1) }) } as const;

/** Shops of this name are closed: every charge is rejected. */
const CLOSED_SHOP = /^closed/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function withKey({ apiKey }: PaymentGatewayDeps, handle: Handler): Handler {
  return (call) => {
    const given = /^Bearer (.+)$/.exec(header(call, 'authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), digest(apiKey))) {
      throw new SandboxError(401, 'unauthorized', 'the key is missing or wrong');
    }
    return handle(call);
  };
}

/** Returns a key's first response to every retry. */
function once(
  { charges }: PaymentGatewayDeps,
  operation: KeyedResponse['operation'],
  handle: (call: Call, key: string) => { status: number; body: Record<string, unknown> },
  repeated: (earlier: KeyedResponse) => void = () => {},
): Handler {
  return (call): ApiResponse => {
    const key = header(call, 'idempotency-key');
    if (!key) throw new SandboxError(400, 'idempotency_key_missing', 'the header Idempotency-Key is missing');
    const earlier = charges.responseTo(operation, key);
    if (earlier) {
      repeated(earlier);
      return { status: earlier.status, body: earlier.body };
    }
    const { status, body } = handle(call, key);
    charges.keepResponse({ operation, key, status, body });
    return { status, body };
  };
}

function create(deps: PaymentGatewayDeps, call: Call, idempotencyKey: string) {
  const rejected = (code: string, message: string) => ({ status: 422, body: { code, message } });
  const parsed = chargeSchema.safeParse(jsonOf(call));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return rejected('invalid_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  if (CLOSED_SHOP.test(parsed.data.shopId)) return rejected('shop_closed', 'the shop accepts no payments');
  const charge: Charge = {
    ...parsed.data,
    chargeId: createId('ch'),
    status: 'pending',
    createdAt: new Date().toISOString(),
    idempotencyKey,
    createCalls: 1,
  };
  deps.charges.put(charge);
  const { chargeId } = charge;
  return {
    status: 201,
    body: { chargeId, status: statusNow(charge), paymentUrl: `${deps.baseUrl}/pay/${chargeId}` },
  };
}

function jsonOf(call: Call): unknown {
  try {
    return JSON.parse(call.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function countRepetition({ charges }: PaymentGatewayDeps, { body }: KeyedResponse): void {
  const charge = typeof body.chargeId === 'string' ? charges.find(body.chargeId) : undefined;
  if (charge) charges.put({ ...charge, createCalls: charge.createCalls + 1 });
}

function chargeOf({ charges }: PaymentGatewayDeps, call: Call): Charge {
  const charge = charges.find(param(call, 'chargeId'));
  if (!charge) throw new SandboxError(404, 'not_found', 'there is no such charge');
  return charge;
}

/**
 * Cancels an unpaid charge.
 * @throws Refusal 409 with the status if money has been received
 */
export function cancelCharge(charges: Charges, charge: Charge): Charge {
  const status = statusNow(charge);
  if (status === 'paid' || status === 'refunded') {
    throw new SandboxError(409, 'already_paid', `the charge is ${status}`, { status });
  }
  const cancelled: Charge = { ...charge, status: 'cancelled' };
  charges.put(cancelled);
  return cancelled;
}

function refund(deps: PaymentGatewayDeps, call: Call, refundKey: string) {
  const charge = chargeOf(deps, call);
  const status = statusNow(charge);
  if (status !== 'paid') throw new SandboxError(409, 'not_paid', `the charge is ${status}`, { status });
  deps.charges.put({ ...charge, status: 'refunded', refundKey });
  return { status: 200, body: { chargeId: charge.chargeId, status: 'refunded' } };
}

/** The gateway's API: create, read, cancel and refund charges. */
export function gatewayRoutes(deps: PaymentGatewayDeps): Route[] {
  const one = '/payment-gateway/v1/charges/{chargeId}';
  return [
    route(
      { code: 'charges.create', method: 'POST', path: '/payment-gateway/v1/charges' },
      { ...keyed, summary: 'Creates a charge', body: chargeSchema, response: createdSchema },
      withKey(
        deps,
        once(
          deps,
          'create',
          (call, key) => create(deps, call, key),
          (earlier) => countRepetition(deps, earlier),
        ),
      ),
    ),
    route(
      { code: 'charges.get', method: 'GET', path: one },
      { summary: 'A charge', access: 'key', response: presentedSchema },
      withKey(deps, (call) => ok(presentCharge(chargeOf(deps, call)))),
    ),
    route(
      { code: 'charges.cancel', method: 'POST', path: `${one}/cancel` },
      { summary: 'Cancels an unpaid charge', access: 'key', response: presentedSchema },
      withKey(deps, (call) => ok(presentCharge(cancelCharge(deps.charges, chargeOf(deps, call))))),
    ),
    route(
      { code: 'charges.refund', method: 'POST', path: `${one}/refund` },
      {
        ...keyed,
        summary: 'Refunds a charge',
        response: presentedSchema.pick({ chargeId: true, status: true }),
      },
      withKey(
        deps,
        once(deps, 'refund', (call, key) => refund(deps, call, key)),
      ),
    ),
  ];
}
