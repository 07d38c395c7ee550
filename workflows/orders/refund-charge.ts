import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { RefundChargeInput, RefundChargeResult } from '../contracts/orders/refund-charge.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { refunds } from './activities.ts';

const ends: Record<RefundChargeResult, { status: string; details: string }> = {
  confirmed: { status: 'REFUNDED', details: 'The payment gateway confirmed the refund.' },
  booked: { status: 'BOOKED', details: 'What the payment gateway reports is booked.' },
  needs_staff: {
    status: 'NEEDS_STAFF',
    details: 'The payment gateway does not refund this. Staff decide on the page of its order.',
  },
  unknown_refund: { status: 'GONE', details: 'There is no such refund any more.' },
};

/**
 * Refunds money, or books what the gateway reports of refunds at its desk and of disputes, retrying until the gateway confirms
 * or staff must decide.
 */
export async function refundCharge({ refundId, reportedBy }: RefundChargeInput): Promise<RefundChargeResult> {
  upsertSearchAttributes([
    { key: bizStatusAttribute, value: reportedBy === undefined ? 'REFUND_PENDING' : 'REPORTED' },
  ]);
  setCurrentDetails(
    reportedBy === undefined
      ? 'Requesting the refund from the payment gateway until it confirms.'
      : 'Reading the charge until it shows what the payment gateway reports.',
  );
  const result =
    reportedBy === undefined
      ? await refunds.refundCharge({ refundId })
      : await refunds.bookReportedRefund({ eventId: reportedBy });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: ends[result].status }]);
  setCurrentDetails(ends[result].details);
  return result;
}
