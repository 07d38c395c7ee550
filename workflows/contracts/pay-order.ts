import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PaymentResult } from '../../domain/orders/payment.ts';
import type { Statuses } from '../../domain/orders/states.ts';

export interface PayOrderInput {
  orderId: string;
  tenantId: string;
  /** n on the order's row; part of the charge's idempotency key. */
  attempt: number;
  /** How long points, stock and coupons are held. */
  ttlMs: number;
  resultURL: string | null;
  cancelURL: string | null;
}

export type PayOrderResult = Statuses;

/** Waits until the attempt has an outcome to tell: a payment link, completion, or a refusal. */
export const payUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('pay');

/** Waits for the end of the payment; what is to be done (cancel, a decision of staff) is in the rows. */
export const endUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('end');

/** Something changed in the rows (a callback, a cancel, a decision): look at them. */
export const lookSignal = defineSignal('look');

/** `order-pay:<orderId>`: one payment of an order at a time. */
export function payOrderWorkflowId(orderId: string): string {
  return `order-pay:${orderId}`;
}

/** `pay:<n>`: parallel pays of one attempt are one update; `try` sets repetitions after a failed one apart. */
export function payUpdateId(attempt: number, tries = 0): string {
  return tries === 0 ? `pay:${attempt}` : `pay:${attempt}.${tries}`;
}

export function endUpdateId(attempt: number, tries = 0): string {
  return tries === 0 ? `end:${attempt}` : `end:${attempt}.${tries}`;
}
