import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { RefundChargeInput, RefundChargeResult } from '../contracts/refund-charge.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { refunds } from './activities.ts';

/** Refunds a charge that belongs to no order, retrying until the gateway confirms. */
export async function refundCharge({ chargeId }: RefundChargeInput): Promise<RefundChargeResult> {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'REFUND_PENDING' }]);
  setCurrentDetails('Requesting the refund from the payment gateway until it confirms.');
  const result = await refunds.refundCharge({ chargeId });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'REFUNDED' }]);
  setCurrentDetails('The payment gateway confirmed the refund.');
  return result;
}
