import { fn } from 'objection';
import type { Transaction } from '#db/database.ts';
import { Refund } from '../models/refunds.ts';
import type { OrderRow } from '../orders.ts';
import { decideRefund } from './decide.ts';
import { confirmOn, noteGatewayRefundId, recordAmountOn } from './refunds.ts';

/** A charge all of whose money went back at the gateway. */
export interface ReturnedCharge {
  chargeId: string;
  /** In units. */
  amount: number;
  currency: string;
  /** The gateway's id of the refund that was told last; null if none was. */
  gatewayRefundId: string | null;
}

/** Whose money it was: `orderId` is null where it fits no order. */
type Owner = Pick<OrderRow, 'tenantId'> & { orderId: string | null };

/** Once: it may have been decided before. */
async function decide(transaction: Transaction, { orderId, tenantId }: Owner, chargeId: string): Promise<void> {
  if (orderId !== null) await decideRefund(transaction, { orderId, tenantId }, chargeId);
  else
    await transaction.raw(
      `insert into refund (refund_id, kind, charge_id, tenant_id, status)
       values (:chargeId, 'unaccepted', :chargeId, :tenantId, 'pending') on conflict (refund_id) do nothing`,
      { chargeId, tenantId },
    );
}

/**
 * Money that no order accepts went back without our asking: it counts as the refund that we would have made, or are making.
 * The caller holds the lock of the order, or of the charge without one.
 */
export async function recordReturned(transaction: Transaction, owner: Owner, charge: ReturnedCharge): Promise<void> {
  const { chargeId, gatewayRefundId } = charge;
  await decide(transaction, owner, chargeId);
  // Decided in this very transaction: nobody has asked the gateway for it.
  await Refund.query(transaction).findById(chargeId).where('createdAt', fn.now()).patch({ origin: 'gateway' });
  await recordAmountOn(transaction, chargeId, charge);
  await noteGatewayRefundId(transaction, { refundId: chargeId, chargeId }, gatewayRefundId);
  await confirmOn(transaction, chargeId, { from: ['pending', 'needs_staff'] });
}
