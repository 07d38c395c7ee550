import { paymentStatus, orderStatus } from '#domain/orders/states.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { OrderRow } from '../orders.ts';

/** Orders whose payment has ended without success: money for them shows in their payment status. */
const ended = [orderStatus.FAILED, orderStatus.TIMEOUT, orderStatus.CANCELLED];

/**
 * Refunds money that its order cannot accept, once per charge: the refund has the charge's id. An order that is
 * completed, or may still be paid, keeps its statuses.
 * @returns false if that was already decided.
 */
export async function decideRefund(
  transaction: Transaction,
  order: Pick<OrderRow, 'orderId' | 'tenantId'>,
  chargeId: string,
): Promise<boolean> {
  const decided = await firstRow(
    transaction,
    `insert into refund (refund_id, kind, charge_id, order_id, tenant_id, status)
     values (:chargeId, 'unaccepted', :chargeId, :orderId, :tenantId, 'pending')
     on conflict (refund_id) do nothing returning 1`,
    { chargeId, orderId: order.orderId, tenantId: order.tenantId },
  );
  if (!decided) return false;
  await transaction.raw(
    `update customer_order set payment_status = ${paymentStatus.REFUND_PENDING}, updated_at = now()
     where order_id = :orderId and order_status in (${ended.join(', ')})`,
    { orderId: order.orderId },
  );
  return true;
}
