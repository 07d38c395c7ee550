import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { header, ok, readQuery, SandboxError, route } from '../http/route.ts';
import type { Call, DescribedCall, Handler, Route } from '../http/route.ts';
import { createId } from '../random.ts';
import type { Callbacks } from './callbacks.ts';
import { amountSchema, chargeOf, presentCharge, presentedSchema, statusNow } from './charges.ts';
import type { Charge, Charges, KeyedResponse } from './charges.ts';
import { keyed, once, read } from './keyed.ts';
import { listCharges, listQuery, listRefunds, listSchema, refundListSchema } from './listing.ts';
import type { ListQuery } from './listing.ts';
import { refundByKey, refundSchema } from './refunds.ts';

export interface PaymentGatewayDeps {
  charges: Charges;
  callbacks: Callbacks;
  /** The caller's Bearer key. */
  apiKey: string;
  /** The gateway's base URL, such as `http://127.0.0.1:4010/payment-gateway`. */
  baseUrl: string;
}

const httpUrl = z.url({ protocol: /^https?$/ }).max(2000);
const chargeSchema = z.object({
  shopId: z.string().min(1).max(200),
  orderNo: z.string().min(1).max(200),
  amount: amountSchema,
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

/** Shops of this name are closed: every charge is rejected. */
const CLOSED_SHOP = /^closed/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets only callers with the key in. */
function withKey<Received extends Call>({ apiKey }: PaymentGatewayDeps, handle: Handler<Received>): Handler<Received> {
  return (call) => {
    const given = /^Bearer (.+)$/.exec(header(call, 'authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), digest(apiKey))) {
      throw new SandboxError(401, 'unauthorized', 'the key is missing or wrong');
    }
    return handle(call);
  };
}

function create(deps: PaymentGatewayDeps, call: Call, idempotencyKey: string) {
  const request = read(call, chargeSchema);
  if (CLOSED_SHOP.test(request.shopId)) throw new SandboxError(422, 'shop_closed', 'the shop accepts no payments');
  const charge: Charge = {
    ...request,
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

function countRepetition({ charges }: PaymentGatewayDeps, { body }: KeyedResponse): void {
  const charge = typeof body.chargeId === 'string' ? charges.find(body.chargeId) : undefined;
  if (charge) charges.put({ ...charge, createCalls: charge.createCalls + 1 });
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

const one = '/payment-gateway/v1/charges/{chargeId}';

function chargeRoutes(deps: PaymentGatewayDeps): Route[] {
  return [
    route(
      { code: 'charges.create', method: 'POST', path: '/payment-gateway/v1/charges' },
      { ...keyed, summary: 'Creates a charge', body: chargeSchema, response: createdSchema },
      withKey(
        deps,
        once(
          deps.charges,
          'create',
          (call, key) => create(deps, call, key),
          (earlier) => countRepetition(deps, earlier),
        ),
      ),
    ),
    route(
      { code: 'charges.list', method: 'GET', path: '/payment-gateway/v1/charges' },
      {
        summary: 'The charges of a shop that were created or paid in a period, page by page',
        access: 'key',
        query: listQuery,
        response: listSchema,
      },
      withKey(deps, (call: DescribedCall<unknown, ListQuery>) => ok(listCharges(deps.charges.list(), readQuery(call)))),
    ),
    route(
      { code: 'charges.get', method: 'GET', path: one },
      { summary: 'A charge', access: 'key', response: presentedSchema },
      withKey(deps, (call) => ok(presentCharge(chargeOf(deps.charges, call)))),
    ),
    route(
      { code: 'charges.cancel', method: 'POST', path: `${one}/cancel` },
      { summary: 'Cancels an unpaid charge', access: 'key', response: presentedSchema },
      withKey(deps, (call) => ok(presentCharge(cancelCharge(deps.charges, chargeOf(deps.charges, call))))),
    ),
  ];
}

function refundRoutes(deps: PaymentGatewayDeps): Route[] {
  return [
    route(
      { code: 'charges.refund', method: 'POST', path: `${one}/refund` },
      {
        ...keyed,
        summary: 'Refunds a charge, all that is left of it or a part; a key gets its first response again',
        body: refundSchema,
        response: presentedSchema
          .pick({ chargeId: true, status: true, refundedAmount: true })
          .extend({ refundId: z.string() }),
      },
      withKey(
        deps,
        once(deps.charges, 'refund', (call, key) => refundByKey(deps, call, key)),
      ),
    ),
    route(
      { code: 'refunds.list', method: 'GET', path: '/payment-gateway/v1/refunds' },
      {
        summary: 'The refunds of a shop in a period, page by page, whoever made them',
        access: 'key',
        query: listQuery,
        response: refundListSchema,
      },
      withKey(deps, (call: DescribedCall<unknown, ListQuery>) => ok(listRefunds(deps.charges.list(), readQuery(call)))),
    ),
  ];
}

/** The gateway's API: create, read, cancel and refund charges, and lists of them. */
export const gatewayRoutes = (deps: PaymentGatewayDeps): Route[] => [...chargeRoutes(deps), ...refundRoutes(deps)];
