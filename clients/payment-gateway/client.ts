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

function chargeOutcome(response: Answer): ChargeOutcome {
  if (response.kind === 'unreachable') return { kind: 'not_reached', reason: response.reason };
  if (REFUSALS.has(response.status)) return { kind: 'refused', code: refusedSchema.parse(response.body).code };
  if (NOT_ADMITTED.has(response.status)) return { kind: 'not_reached', reason: `answered ${response.status}` };
  const created = createdSchema.safeParse(response.body);
  if ((response.status === 201 || response.status === 200) && created.success)
    return { kind: 'created', ...created.data };
  throw new GatewayUnclear(`creating a charge was answered with ${response.status}`, response.retryAfterMs);
}

/** The status that an answer to cancel or refund names; undefined where it names none. */
const statusIn = (response: Answer): ChargeStatus | undefined =>
  response.kind === 'answered' ? statusOnly.safeParse(response.body).data?.status : undefined;

function unclear(what: string, response: Answer): GatewayUnclear {
  return response.kind === 'unreachable'
    ? new GatewayUnclear(`${what}: ${response.reason}`)
    : new GatewayUnclear(`${what} was answered with ${response.status}`, response.retryAfterMs);
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
      const response = await call('GET', pathOf(chargeId));
      const charge =
        response.kind === 'answered' && response.status === 200 ? chargeSchema.safeParse(response.body) : null;
      if (charge?.success) return charge.data;
      throw unclear('reading a charge', response);
    },

    /** `cancelled` also where it had expired or been cancelled before. */
    async cancelCharge(chargeId: string): Promise<CancelOutcome> {
      const response = await call('POST', `${pathOf(chargeId)}/cancel`, { body: {} });
      const status = statusIn(response);
      if (response.kind === 'answered' && response.status === 200) return status === 'paid' ? 'paid' : 'cancelled';
      if (response.kind === 'answered' && response.status === 409) {
        if (status === 'paid') return 'paid';
        if (status === 'cancelled' || status === 'expired' || status === 'refunded') return 'cancelled';
      }
      throw unclear('cancelling a charge', response);
    },

    /** Resolves once the gateway confirms that the money is on its way back. */
    async refundCharge(idempotencyKey: string, chargeId: string): Promise<void> {
      const response = await call('POST', `${pathOf(chargeId)}/refund`, { idempotencyKey, body: {} });
      const confirmed =
        response.kind === 'answered' &&
        (response.status === 200 || (response.status === 409 && statusIn(response) === 'refunded'));
      if (!confirmed) throw unclear('refunding a charge', response);
    },
  };
}

export type PaymentGateway = ReturnType<typeof createPaymentGateway>;
