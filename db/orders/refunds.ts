import { fn } from 'objection';
import { paymentStatus } from '../../domain/orders/states.ts';
import type { Database } from '../database.ts';
import { Refund } from './models.ts';
import { lockOrder } from './payments.ts';
import { transact } from './transaction.ts';

/** A refund with the tenant of its order. */
export type FoundRefund = Pick<Refund, 'chargeId' | 'orderId' | 'status'> & { tenantId: string };

export async function findRefund(database: Database, chargeId: string): Promise<FoundRefund | null> {
  const refund = await Refund.query(database)
    .findById(chargeId)
    .joinRelated('order')
    .select('chargeId', 'refund.orderId', 'status', 'order.tenantId')
    .castTo<FoundRefund | undefined>();
  return refund ?? null;
}

/** The gateway confirmed: REFUND_PENDING → REFUNDED once no refund of the order is open. */
export async function confirmRefund(database: Database, refund: FoundRefund): Promise<void> {
  await transact(database, async (transaction) => {
    await lockOrder(transaction, refund.orderId);
    await Refund.query(transaction)
      .findById(refund.chargeId)
      .where({ status: 'pending' })
      .patch({ status: 'confirmed', confirmedAt: fn.now() });
    await transaction.raw(
      `update customer_order o set payment_status = :refunded, updated_at = now()
       where order_id = :orderId and payment_status = :refundPending
         and not exists (select 1 from refund r where r.order_id = o.order_id and r.status = 'pending')`,
      {
        orderId: refund.orderId,
        refunded: paymentStatus.REFUNDED,
        refundPending: paymentStatus.REFUND_PENDING,
      },
    );
  });
}
