import type { StaffOrderData } from '#domain/orders/responses.ts';
import { orderStatus, pointsStatus } from '#domain/orders/states.ts';
import { typedMoney } from '../typed-number.ts';

type Refundable = Pick<StaffOrderData, 'orderStatus' | 'pointsStatus' | 'pointsPlan' | 'refundable' | 'totalMoney'>;

/** What an order took besides money. */
function usedPoints({ pointsStatus: points, pointsPlan: plan }: Refundable): boolean {
  if (points !== pointsStatus.COMMITTED) return false;
  return plan.tenantPoints + plan.districtPoints + plan.walletPoints + plan.couponIds.length > 0;
}

/**
 * What staff can give back of an order: `amount` in units, 0 where it took no money, and whether it took points or coupons.
 * Null where nothing is left, or the order is not complete.
 */
export function refundableOf(order: Refundable): { amount: number; points: boolean } | null {
  if (order.orderStatus !== orderStatus.DONE) return null;
  const points = usedPoints(order);
  if (order.refundable > 0) return { amount: order.refundable, points };
  return order.totalMoney === 0 && points ? { amount: 0, points } : null;
}

/** The amount as typed, in units; null for anything but an amount above 0 with at most 2 decimals. */
export function amountOf(typed: string): number | null {
  return typedMoney(typed) || null;
}
