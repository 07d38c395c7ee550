import { fn } from 'objection';
import { orderStatus, paymentStatus } from '../../../domain/orders/states.ts';
import { type Database, firstRow } from '../../database.ts';
import { recordMerchantEvent } from '../merchant-events/events.ts';
import { Refund } from '../models.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

/** What staff can still refund of a completed order: what was received, less what was refunded or will be. */
export async function refundableMinor(database: Database, orderId: string): Promise<number> {
  const row = await firstRow<{ minor: number }>(
    database,
    `select coalesce((select a.received_minor from customer_order o
         join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
         where o.order_id = :orderId and o.order_status = ${orderStatus.DONE}), 0)
       - coalesce((select sum(r.amount_minor) from refund r where r.order_id = :orderId and r.kind = 'staff'), 0)::bigint
       as minor`,
    { orderId },
  );
  return row?.minor ?? 0;
}

export async function findRefund(database: Database, refundId: string): Promise<Refund | null> {
  return (await Refund.query(database).findById(refundId)) ?? null;
}

/** The gateway confirmed: REFUND_PENDING → REFUNDED once no refund of the order is open. */
export async function confirmRefund(database: Database, refund: Refund): Promise<void> {
  await transact(database, async (transaction) => {
    if (refund.orderId !== null) await lockOrder(transaction, refund.orderId);
    const confirmed = await Refund.query(transaction)
      .findById(refund.refundId)
      .where({ status: 'pending' })
      .patch({ status: 'confirmed', confirmedAt: fn.now() });
    await transaction.raw(
      `update customer_order o set payment_status = :refunded, updated_at = now()
       where order_id = :orderId and payment_status = :refundPending
         and not exists (select 1 from refund r where r.order_id = o.order_id and r.status = 'pending')`,
      {
        orderId: refund.orderId ?? '',
        refunded: paymentStatus.REFUNDED,
        refundPending: paymentStatus.REFUND_PENDING,
      },
    );
    if (confirmed > 0 && refund.orderId !== null)
      await recordMerchantEvent(transaction, refund.orderId, 'refund.succeeded', refund);
  });
}
