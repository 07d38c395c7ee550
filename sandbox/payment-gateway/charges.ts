import { z } from 'zod';
import { param, SandboxError } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import type { Journal, Slice } from '../journal.ts';

/** In whole units, with at most two decimals. */
export const amountSchema = z.number().positive().max(9_999_999_999.99).multipleOf(0.01);

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

export interface Refund {
  refundId: string;
  /** The Idempotency-Key of the request that made it; null where it was made at the desk. */
  key: string | null;
  /** In whole units, not cents. */
  amount: number;
  at: string;
}

export interface Dispute {
  disputeId: string;
  /** What the payer claims, in whole units. */
  amount: number;
  reason: string;
  /** Until when evidence is taken. */
  dueAt: string;
  openedAt: string;
  /** Absent while it is open. */
  outcome?: 'won' | 'lost';
  closedAt?: string;
}

export interface Charge extends ChargeRequest {
  chargeId: string;
  status: ChargeStatus;
  createdAt: string;
  idempotencyKey: string;
  /** How often creation was requested, including retries. */
  createCalls: number;
  paidAt?: string;
  /** In the order in which they were confirmed. */
  refunds?: Refund[];
  /** In the order in which they were opened. */
  disputes?: Dispute[];
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

/**
 * The charge that the path names.
 * @throws Refusal 404 if there is none
 */
export function chargeOf(charges: Charges, call: Call): Charge {
  const charge = charges.find(param(call, 'chargeId'));
  if (!charge) throw new SandboxError(404, 'not_found', 'there is no such charge');
  return charge;
}

/** The current status: a pending charge expires by itself when its time is up. */
export function statusNow(charge: Charge, now = Date.now()): ChargeStatus {
  return charge.status === 'pending' && Date.parse(charge.expiresAt) <= now ? 'expired' : charge.status;
}

const inCents = (units: number): number => Math.round(units * 100);

const sumOf = (parts: readonly { amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + inCents(amount), 0) / 100;

/** What its disputes claim that are open or lost, in units. */
export const disputedOf = ({ disputes = [] }: Charge): number =>
  sumOf(disputes.filter(({ outcome }) => outcome !== 'won'));

/** What has been given back so far, and what is left to give back, both in units. */
export function refundsOf(charge: Charge): { refunded: number; left: number } {
  const refunded = sumOf(charge.refunds ?? []);
  const left = inCents(charge.amount) - inCents(refunded) - inCents(disputedOf(charge));
  return { refunded, left: Math.max(0, left) / 100 };
}

export const presentedSchema = z.object({
  chargeId: z.string(),
  status: chargeStatus,
  amount: z.number(),
  currency: z.string(),
  shopId: z.string(),
  paidAt: z.string().optional(),
  refundedAmount: z.number(),
  disputedAmount: z.number(),
});

/** A charge as the gateway's API shows it. */
export function presentCharge(charge: Charge): z.infer<typeof presentedSchema> {
  const { chargeId, amount, currency, shopId, paidAt } = charge;
  return {
    chargeId,
    status: statusNow(charge),
    amount,
    currency,
    shopId,
    ...(paidAt ? { paidAt } : {}),
    refundedAmount: refundsOf(charge).refunded,
    disputedAmount: disputedOf(charge),
  };
}
