import { paymentStatus } from '../../domain/orders/states.ts';
import { type Database, firstRow } from '../database.ts';
import { lockOrder } from './payments.ts';
import { transact } from './transaction.ts';

export interface Refund {
  chargeId: string;
  orderId: string;
  tenantId: string;
  status: 'pending' | 'confirmed';
}

export async function findRefund(database: Database, chargeId: string): Promise<Refund | null> {
  return firstRow(
    database,
    `select r.charge_id, r.order_id, o.tenant_id, r.status
     from refund r join customer_order o using (order_id) where r.charge_id = :chargeId`,
    { chargeId },
  );
}

/** The gateway confirmed: paymentStatus 50 → 60 once no refund of the order is open. */
export async function confirmRefund(database: Database, refund: Refund): Promise<void> {
  await transact(database, async (trx) => {
    await lockOrder(trx, refund.orderId);
    await trx.raw(
      `update refund set status = 'confirmed', confirmed_at = now() where charge_id = :chargeId and status = 'pending'`,
      { chargeId: refund.chargeId },
    );
    await trx.raw(
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
