import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { toMinor } from '../../../domain/orders/money.ts';
import type { RefundOrder } from '../../../domain/orders/administration/refunds.ts';
import { orderStatus, paymentStatus } from '../../../domain/orders/states.ts';
import type { Database, Transaction } from '../../database.ts';
import { bookRefundDecided } from '../books/cash.ts';
import { PaymentAttempt } from '../models/payments.ts';
import { Refund, type RefundWish } from '../models/refunds.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder, setStatuses } from '../payments.ts';
import { transact } from '../transaction.ts';
import { applyRefund, refundableMinor } from './refunds.ts';

/** What became of the request for a refund; the codes are those of the contract. */
export type RefundRequest =
  | { kind: 'accepted'; refund: Refund }
  | { kind: 'rejected'; code: 90202 | 90205 }
  /** `path` says which field, as in `/amount`. */
  | { kind: 'malformed'; path: string; message: string };

const malformed = (path: string, message: string): RefundRequest => ({ kind: 'malformed', path, message });

/** What a request asks for, once what is left is known. */
interface Asked {
  amountMinor: number;
  /** What can be refunded before this request. */
  leftMinor: number;
  restorePoints: boolean;
  restock: boolean;
  /** What earlier refunds give back, those under way included: it goes back once. */
  given: { restorePoints: boolean; restock: boolean };
}

/** Why it cannot be granted; null if it can. */
function fault({ amountMinor, leftMinor, restorePoints, restock, given }: Asked): RefundRequest | null {
  if (Number.isNaN(amountMinor) || amountMinor > leftMinor)
    return malformed('/amount', 'is more than what can still be refunded');
  if (amountMinor < leftMinor && restorePoints)
    return malformed('/restorePoints', 'is possible only where all is refunded');
  if (amountMinor < leftMinor && restock) return malformed('/restock', 'is possible only where all is refunded');
  if (restorePoints && given.restorePoints) return malformed('/restorePoints', 'was asked for before');
  if (restock && given.restock) return malformed('/restock', 'was asked for before');
  if (amountMinor === 0 && !restorePoints) return malformed('/amount', 'nothing is left to refund');
  return null;
}

async function givenBack(transaction: Transaction, orderId: string): Promise<Asked['given']> {
  const earlier = await Refund.query(transaction).where({ orderId, kind: 'staff' });
  return {
    restorePoints: earlier.some(({ restorePoints }) => restorePoints),
    restock: earlier.some(({ restock }) => restock),
  };
}

const wishOf = ({ amount, reason, restorePoints, restock }: RefundOrder): RefundWish => ({
  amount: amount ?? null,
  reason,
  restorePoints: restorePoints ?? null,
  restock: restock ?? null,
});

async function insert(
  transaction: Transaction,
  order: OrderRow,
  { body, by, asked }: { body: RefundOrder; by: string; asked: Asked },
): Promise<Refund> {
  const attempt = await PaymentAttempt.query(transaction).findById([order.orderId, order.attempt]);
  return Refund.query(transaction)
    .insert({
      refundId: uuidv7(),
      kind: 'staff',
      tenantId: order.tenantId,
      orderId: order.orderId,
      chargeId: asked.amountMinor > 0 ? (attempt?.chargeId ?? null) : null,
      amountMinor: asked.amountMinor,
      currency: attempt?.receivedCurrency ?? order.currency,
      // Without money there is nobody to wait for.
      status: asked.amountMinor > 0 ? 'pending' : 'confirmed',
      ...(asked.amountMinor > 0 ? {} : { confirmedAt: new Date() }),
      reason: body.reason,
      requestedBy: by,
      requestKey: body.key,
      request: wishOf(body),
      restorePoints: asked.restorePoints,
      restock: asked.restock,
    })
    .returning('*');
}

/**
 * Decides on a refund of a DONE order, once per key; the order's row lock keeps several together within what was
 * received. Without money (points only) it is applied at once.
 * @param onDecided runs in the same transaction, only if this call decided it.
 */
export async function requestRefund(
  database: Database,
  { orderId, body, by }: { orderId: string; body: RefundOrder; by: string },
  onDecided: (transaction: Transaction, refund: Refund) => Promise<void>,
): Promise<RefundRequest> {
  return transact(database, async (transaction): Promise<RefundRequest> => {
    const order = await lockOrder(transaction, orderId);
    const earlier = await Refund.query(transaction).findOne({ orderId, requestKey: body.key });
    if (earlier)
      return isDeepStrictEqual(earlier.request, wishOf(body))
        ? { kind: 'accepted', refund: earlier }
        : { kind: 'rejected', code: 90205 };
    if (order?.orderStatus !== orderStatus.DONE) return { kind: 'rejected', code: 90202 };
    const leftMinor = await refundableMinor(transaction, orderId);
    const asked: Asked = {
      leftMinor,
      amountMinor: body.amount === null || body.amount === undefined ? leftMinor : toMinor(body.amount),
      restorePoints: body.restorePoints ?? false,
      restock: body.restock ?? false,
      given: await givenBack(transaction, orderId),
    };
    const found = fault(asked);
    if (found) return found;
    const refund = await insert(transaction, order, { body, by, asked });
    if (refund.status === 'confirmed') await applyRefund(transaction, refund);
    else await setStatuses(transaction, order, { ...statusesOf(order), paymentStatus: paymentStatus.REFUND_PENDING });
    await bookRefundDecided(transaction, refund);
    await onDecided(transaction, refund);
    return { kind: 'accepted', refund };
  });
}

const statusesOf = ({ orderStatus: order, pointsStatus: points, paymentStatus: payment }: OrderRow) => ({
  orderStatus: order,
  pointsStatus: points,
  paymentStatus: payment,
});
