import { z } from 'zod';
import { gatewayFetch, GatewayUnclear, type Answer } from './http.ts';

export { GatewayUnclear } from './http.ts';

export interface GatewayOptions {
  baseUrl: string;
  /** The Bearer key. */
  key: string;
  timeoutMs?: number;
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

export type ChargeStatus = 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded';

export interface Charge {
  chargeId: string;
  status: ChargeStatus;
  amount: number;
  currency: string;
  shopId: string;
}

/** What is certain about a charge after an attempt to make it; anything uncertain is thrown as GatewayUnclear. */
export type ChargeOutcome =
  | { kind: 'created'; chargeId: string; paymentUrl: string }
  | { kind: 'refused'; code: string }
  /** No byte of the request was processed: nobody listened, or the key was not accepted. */
  | { kind: 'not_reached'; reason: string };

/** How a charge that was to be cancelled ended. */
export type CancelOutcome = 'cancelled' | 'paid';

const createdSchema = z.object({ chargeId: z.string().min(1), paymentUrl: z.string().min(1) });
const refusedSchema = z.object({ code: z.string().catch('refused') }).catch({ code: 'refused' });
const statusSchema = z.enum(['pending', 'paid', 'cancelled', 'expired', 'refunded']);
const chargeSchema = z.object({
  chargeId: z.string(),
  status: statusSchema,
  amount: z.number(),
  currency: z.string(),
  shopId: z.string(),
});
const statusOnly = z.object({ status: statusSchema });

/** Answers that say no and mean it: the request was understood and nothing was made. */
const REFUSALS = new Set([400, 422]);
/** Answers given before the request was looked at. */
const NOT_ADMITTED = new Set([401, 403, 404]);

function chargeOutcome(answer: Answer): ChargeOutcome {
  if (answer.kind === 'unreachable') return { kind: 'not_reached', reason: answer.reason };
  if (REFUSALS.has(answer.status)) return { kind: 'refused', code: refusedSchema.parse(answer.body).code };
  if (NOT_ADMITTED.has(answer.status)) return { kind: 'not_reached', reason: `answered ${answer.status}` };
  const created = createdSchema.safeParse(answer.body);
  if ((answer.status === 201 || answer.status === 200) && created.success) return { kind: 'created', ...created.data };
  throw new GatewayUnclear(`creating a charge was answered with ${answer.status}`, answer.retryAfterMs);
}

/** The status that an answer to cancel or refund names; undefined where it names none. */
const statusIn = (answer: Answer): ChargeStatus | undefined =>
  answer.kind === 'answered' ? statusOnly.safeParse(answer.body).data?.status : undefined;

function unclear(what: string, answer: Answer): GatewayUnclear {
  return answer.kind === 'unreachable'
    ? new GatewayUnclear(`${what}: ${answer.reason}`)
    : new GatewayUnclear(`${what} was answered with ${answer.status}`, answer.retryAfterMs);
}

/** The payment gateway's API (section 7 of the contract). What may have had an effect without our knowing throws GatewayUnclear. */
export function createPaymentGateway(options: GatewayOptions) {
  const call = (method: 'GET' | 'POST', path: string, more: { idempotencyKey?: string; body?: unknown } = {}) =>
    gatewayFetch(options, { method, path, ...more });
  const pathOf = (chargeId: string) => `/v1/charges/${encodeURIComponent(chargeId)}`;

  return {
    async createCharge(idempotencyKey: string, request: ChargeRequest): Promise<ChargeOutcome> {
      return chargeOutcome(await call('POST', '/v1/charges', { idempotencyKey, body: request }));
    },

    async readCharge(chargeId: string): Promise<Charge> {
      const answer = await call('GET', pathOf(chargeId));
      const charge = answer.kind === 'answered' && answer.status === 200 ? chargeSchema.safeParse(answer.body) : null;
      if (charge?.success) return charge.data;
      throw unclear('reading a charge', answer);
    },

    /** `cancelled` also where it had expired or been cancelled before. */
    async cancelCharge(chargeId: string): Promise<CancelOutcome> {
      const answer = await call('POST', `${pathOf(chargeId)}/cancel`, { body: {} });
      const status = statusIn(answer);
      if (answer.kind === 'answered' && answer.status === 200) return status === 'paid' ? 'paid' : 'cancelled';
      if (answer.kind === 'answered' && answer.status === 409) {
        if (status === 'paid') return 'paid';
        if (status === 'cancelled' || status === 'expired' || status === 'refunded') return 'cancelled';
      }
      throw unclear('cancelling a charge', answer);
    },

    /** Resolves once the gateway confirms that the money is on its way back. */
    async refundCharge(idempotencyKey: string, chargeId: string): Promise<void> {
      const answer = await call('POST', `${pathOf(chargeId)}/refund`, { idempotencyKey, body: {} });
      const confirmed =
        answer.kind === 'answered' &&
        (answer.status === 200 || (answer.status === 409 && statusIn(answer) === 'refunded'));
      if (!confirmed) throw unclear('refunding a charge', answer);
    },
  };
}

export type PaymentGateway = ReturnType<typeof createPaymentGateway>;
