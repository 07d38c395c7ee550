import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PaymentResult } from '#domain/orders/payment.ts';
import type { Statuses } from '#domain/orders/states.ts';

export interface PayOrderInput {
  orderId: string;
  tenantId: string;
  /** n on the order's row; part of the charge's idempotency key. */
  attempt: number;
  /** How long points, stock and coupons are held, in milliseconds. */
  ttlMs: number;
  resultURL: string | null;
  cancelURL: string | null;
}

export type PayOrderResult = Statuses;

/** Waits until the attempt has an outcome to report: a payment link, completion, or a rejection. */
export const payUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('pay');

/** Waits for the payment to end; what to do (a cancel, a staff decision) is in the rows. */
export const endUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('end');

/** Carries out the staff's decision in the rows; 90206 if the gateway does not show the money. */
export const resolveUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('resolve');

/** Reads the charge from the gateway now: what reads as paid completes the order. */
export const readUpdate = defineUpdate<PaymentResult, [{ attempt: number }]>('read');

/** Something changed in the rows (a callback, a cancel, a decision): read them. */
export const lookSignal = defineSignal('look');

/** `order-pay:<orderId>`: at most one payment of an order at a time. */
export function payOrderWorkflowId(orderId: string): string {
  return `order-pay:${orderId}`;
}

/**
 * `pay:<n>`: concurrent pay calls for one attempt share one update; `tries` distinguishes retries after a failed
 * update.
 */
export function payUpdateId(attempt: number, tries = 0): string {
  return tries === 0 ? `pay:${attempt}` : `pay:${attempt}.${tries}`;
}

export function endUpdateId(attempt: number, tries = 0): string {
  return tries === 0 ? `end:${attempt}` : `end:${attempt}.${tries}`;
}
