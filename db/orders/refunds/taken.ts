import { uuidv7 } from 'uuidv7';
import type { RefundOrigin } from '#domain/orders/administration/refunds.ts';
import type { Minor } from '#domain/orders/money.ts';
import type { Transaction } from '#db/database.ts';
import { bookRefundConfirmed, bookRefundDecided } from '../books/cash.ts';
import { disputedMinor, holdDisputed } from '../disputes/held.ts';
import { Refund } from '../models/refunds.ts';
import { applyRefund, cutToRest, openRefunds } from './refunds.ts';

/** Money of a completed order that is with its payer again without a request of ours. */
export interface TakenMoney {
  origin: Exclude<RefundOrigin, 'service'>;
  tenantId: string;
  orderId: string;
  chargeId: string;
  /** Null for a dispute. */
  gatewayRefundId: string | null;
  /** Of a dispute. */
  reason: string | null;
  amountMinor: Minor;
  currency: string;
}

/** What confirmed refunds have left of so much that was received. */
export async function unreturnedMinor(
  transaction: Transaction,
  { orderId, receivedMinor }: { orderId: string; receivedMinor: Minor },
): Promise<Minor> {
  const confirmed = await Refund.query(transaction).where({ orderId, kind: 'staff', status: 'confirmed' });
  return receivedMinor - confirmed.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
}

/**
 * Refunds under way for more than is left are cut to that and wait for staff: the gateway could only reject them.
 * @returns by how much they were cut in all: so much was already taken from the sale.
 */
async function cutOpenRefunds(transaction: Transaction, orderId: string, leftMinor: Minor): Promise<Minor> {
  let [left, cut] = [leftMinor, 0];
  for (const { refundId, amountMinor } of await openRefunds(transaction, orderId)) {
    const asked = amountMinor ?? 0;
    const kept = Math.min(asked, left);
    left -= kept;
    cut += asked - kept;
    if (kept < asked)
      await Refund.query(transaction)
        .findById(refundId)
        .patch({ amountMinor: kept, ...cutToRest });
  }
  return cut;
}

/**
 * Books it as a refund like one of ours, but neither asked for nor approved; nothing else goes back, only staff give points
 * and goods back. It goes before what is only asked for or disputed. The caller holds the order's lock.
 * @param unreturned what confirmed refunds have left before this one
 */
export async function bookTaken(transaction: Transaction, taken: TakenMoney, unreturned: Minor): Promise<void> {
  const { orderId, amountMinor } = taken;
  const left = unreturned - amountMinor - (await disputedMinor(transaction, orderId));
  const cutMinor = await cutOpenRefunds(transaction, orderId, Math.max(0, left));
  const refund = await Refund.query(transaction)
    .insert({ refundId: uuidv7(), kind: 'staff', ...taken, status: 'confirmed', confirmedAt: new Date() })
    .returning('*');
  // What was cut from others was booked when they were decided.
  await bookRefundDecided(transaction, { ...refund, amountMinor: Math.max(0, amountMinor - cutMinor) });
  await bookRefundConfirmed(transaction, refund);
  await applyRefund(transaction, refund);
  await holdDisputed(transaction, orderId, `refund:${refund.refundId}`);
}
