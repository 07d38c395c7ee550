import type { Minor } from '#domain/orders/money.ts';
import type { Transaction } from '#db/database.ts';
import { lapseBeyond } from '../approvals/approvals.ts';
import { bookDisputed } from '../books/cash.ts';
import { Dispute } from '../models/disputes.ts';
import { PaymentAttempt } from '../models/payments.ts';
import { refundableMinor, unrefundedMinor } from '../refunds/refunds.ts';

const openDisputes = (transaction: Transaction, orderId: string) =>
  Dispute.query(transaction).where({ orderId, status: 'open' }).orderBy(['createdAt', 'disputeId']);

/** What of an order's money stands in open disputes. */
export async function disputedMinor(transaction: Transaction, orderId: string): Promise<Minor> {
  return (await openDisputes(transaction, orderId)).reduce((sum, { bookedMinor }) => sum + bookedMinor, 0);
}

async function acceptedCharge(transaction: Transaction, orderId: string): Promise<string | null> {
  const attempt = await PaymentAttempt.query(transaction).findOne({ orderId, holdStatus: 'committed' });
  return attempt?.chargeId ?? null;
}

/**
 * Of each open dispute of an order as much is held as its money reaches for, the oldest first: refunds and disputes together
 * never take more than was received. What is claimed above that needs staff. The caller holds the order's lock.
 * @param cause what changed the money or the disputes; once for each
 */
export async function holdDisputed(transaction: Transaction, orderId: string, cause: string): Promise<void> {
  const accepted = await acceptedCharge(transaction, orderId);
  let left = await unrefundedMinor(transaction, orderId);
  for (const dispute of await openDisputes(transaction, orderId)) {
    const bookedMinor = dispute.chargeId === accepted ? Math.min(dispute.amountMinor, left) : 0;
    left -= bookedMinor;
    const addedMinor = bookedMinor - dispute.bookedMinor;
    if (addedMinor === 0) continue;
    await bookDisputed(transaction, dispute, { addedMinor, cause });
    const needsStaff = bookedMinor < dispute.amountMinor && (addedMinor < 0 || dispute.needsStaff);
    await Dispute.query(transaction).findById(dispute.disputeId).patch({ bookedMinor, needsStaff });
  }
  await lapseBeyond(transaction, orderId, await refundableMinor(transaction, orderId));
}
