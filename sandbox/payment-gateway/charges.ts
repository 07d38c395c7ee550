import { z } from 'zod';
import type { Journal, Slice } from '../journal.ts';

const chargeStatus = z.enum(['pending', 'paid', 'cancelled', 'expired', 'refunded']);
export type ChargeStatus = z.infer<typeof chargeStatus>;

export interface ChargeRequest {
  shopId: string;
  orderNo: string;
  /** In whole units, not cents. */
  amount: number;
  currency: string;
  description?: string | undefined;
  resultURL?: string | undefined;
  cancelURL?: string | undefined;
  callbackURL: string;
  expiresAt: string;
}

export interface Charge extends ChargeRequest {
  chargeId: string;
  status: ChargeStatus;
  createdAt: string;
  idempotencyKey: string;
  /** How often creation was requested, including retries. */
  createCalls: number;
  paidAt?: string;
  refundKey?: string;
  /** Paid after the charge had ended. */
  late?: boolean;
}

/** The first response to an Idempotency-Key, returned again for every retry. */
export interface KeyedResponse {
  operation: 'create' | 'refund';
  key: string;
  status: number;
  body: Record<string, unknown>;
}

type Entry = { kind: 'charge'; charge: Charge } | { kind: 'answer'; response: KeyedResponse };

/** Charges, and the responses stored by key. */
export function createCharges(journal: Journal) {
  const charges = new Map<string, Charge>();
  const responses = new Map<string, KeyedResponse>();
  const keyOf = (operation: string, key: string) => `${operation} ${key}`;

  const slice: Slice<Entry> = {
    apply(entry) {
      if (entry.kind === 'charge') charges.set(entry.charge.chargeId, entry.charge);
      else responses.set(keyOf(entry.response.operation, entry.response.key), entry.response);
    },
    *dump() {
      for (const charge of charges.values()) yield { kind: 'charge', charge };
      for (const response of responses.values()) yield { kind: 'answer', response };
    },
  };
  const record = journal.register('charges', slice);

  return {
    put: (charge: Charge) => record({ kind: 'charge', charge }),
    find: (chargeId: string) => charges.get(chargeId),
    list: () => [...charges.values()],
    responseTo: (operation: KeyedResponse['operation'], key: string) => responses.get(keyOf(operation, key)),
    keepResponse: (response: KeyedResponse) => record({ kind: 'answer', response }),
  };
}

export type Charges = ReturnType<typeof createCharges>;

/** The current status: a pending charge expires by itself when its time is up. */
export function statusNow(charge: Charge, now = Date.now()): ChargeStatus {
  return charge.status === 'pending' && Date.parse(charge.expiresAt) <= now ? 'expired' : charge.status;
}

export const presentedSchema = z.object({
  chargeId: z.string(),
  status: chargeStatus,
  amount: z.number(),
  currency: z.string(),
  shopId: z.string(),
  paidAt: z.string().optional(),
});

/** A charge as the gateway's API shows it. */
export function presentCharge(charge: Charge): z.infer<typeof presentedSchema> {
  const { chargeId, amount, currency, shopId, paidAt } = charge;
  return { chargeId, status: statusNow(charge), amount, currency, shopId, ...(paidAt ? { paidAt } : {}) };
}
