import type { StaffOrderData } from '#domain/orders/responses.ts';
import { orderStatus, pointsStatus } from '#domain/orders/states.ts';
import { typedMoney } from '../typed-number.ts';

type Refundable = Pick<StaffOrderData, 'orderStatus' | 'pointsStatus' | 'pointsPlan' | 'refundable'> & {
  refunds: readonly Pick<StaffOrderData['refunds'][number], 'restorePoints' | 'lines'>[];
};

/** Whether an order took something besides money that no refund gives back. */
function keepsPoints({ pointsStatus: points, pointsPlan: plan, refunds }: Refundable): boolean {
  if (points !== pointsStatus.COMMITTED) return false;
  if (refunds.some(({ restorePoints, lines }) => restorePoints && lines === null)) return false;
  return plan.tenantPoints + plan.districtPoints + plan.walletPoints + plan.couponIds.length > 0;
}

/**
 * What staff can give back of an order: `amount` in units, 0 where no money is left, and whether points or coupons are.
 * Null where nothing is left, or the order is not complete.
 */
export function refundableOf(order: Refundable): { amount: number; points: boolean } | null {
  if (order.orderStatus !== orderStatus.DONE) return null;
  const points = keepsPoints(order);
  if (order.refundable > 0) return { amount: order.refundable, points };
  return points ? { amount: 0, points } : null;
}

/** The amount as typed, in units; null for anything but an amount above 0 with at most 2 decimals. */
export function amountOf(typed: string): number | null {
  return typedMoney(typed) || null;
}
