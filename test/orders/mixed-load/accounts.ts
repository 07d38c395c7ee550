import { toMinor } from '#domain/orders/money.ts';
import type { Balances, StaffOrderData } from '#domain/orders/responses.ts';
import { orderStatus, pointsStatus } from '#domain/orders/states.ts';
import type { Charge } from '#sandbox/payment-gateway/charges.ts';
import { succeeded } from './callers.ts';
import { GRANTED, type Shop } from './market.ts';

/** The gateway's money, the payers' points and the goods, compared with the orders as staff see them. */

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const done = ({ orderStatus: status }: StaffOrderData) => status === orderStatus.DONE;
/** Whether what the order used is still used. */
const usesHolds = (order: StaffOrderData) => done(order) && order.pointsStatus !== pointsStatus.RETURNED;

/** In minor units. A payer may claim more than is left. */
export function keptByGateway({ status, amount, refunds = [], disputes = [] }: Charge): number {
  if (status !== 'paid' && status !== 'refunded') return 0;
  const gone = [...refunds, ...disputes.filter(({ outcome }) => outcome !== 'won')];
  return Math.max(0, toMinor(amount) - sum(gone.map((part) => toMinor(part.amount))));
}

/** In minor units: what the order has accepted for this charge and not given back. */
function acceptedByOrder(order: StaffOrderData | undefined, chargeId: string): number {
  if (!order?.received || !done(order) || order.received.chargeId !== chargeId) return 0;
  const returned = order.refunds.filter(({ kind, status }) => kind === 'staff' && status === 'confirmed');
  return toMinor(order.received.amount) - sum(returned.map(({ amount }) => toMinor(amount ?? 0)));
}

/**
 * Charges for which the gateway has kept something other than what their orders have accepted, and completed orders
 * without money; one line each. Charges of other systems count only if staff had their money sent back.
 */
export function moneyDifferences(charges: readonly Charge[], orders: readonly StaffOrderData[]): string[] {
  const byNumber = new Map(orders.map((order) => [order.orderNo, order]));
  const differing = charges
    .filter(({ orderNo }) => !orderNo.startsWith('foreign-'))
    .flatMap((charge) => {
      const order = byNumber.get(charge.orderNo);
      const [kept, accepted] = [keptByGateway(charge), acceptedByOrder(order, charge.chargeId)];
      const statuses = order ? `${order.orderStatus}/${order.pointsStatus}/${order.paymentStatus}` : 'unknown';
      if (kept === accepted) return [];
      return [
        `${charge.chargeId} (${charge.status}) of ${order?.orderId} (${statuses}): kept ${kept}, accepted ${accepted}`,
      ];
    });
  const unpaid = orders
    .filter((order) => done(order) && order.totalMoney > 0 && order.received === null)
    .map(({ orderId }) => `${orderId} is done and nothing came for it`);
  return [...differing, ...unpaid];
}

/** Points of payers that are not as their orders say: granted, less what completed orders use. */
export async function pointsDifferences(shop: Shop, orders: readonly StaffOrderData[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { userId } of shop.payers) {
    const path = `/admin/points?tenantId=${shop.tenantId}&userId=${userId}`;
    const balances = succeeded('points', await shop.staff.call<Balances>('points', 'GET', path));
    const own = orders.filter((order) => order.userId === userId && usesHolds(order));
    const used = {
      tenant: sum(own.map(({ pointsPlan }) => pointsPlan.tenantPoints)),
      wallet: sum(own.map(({ pointsPlan }) => pointsPlan.walletPoints)),
    };
    for (const kind of ['tenant', 'wallet'] as const) {
      const expected = { available: GRANTED - used[kind], reserved: 0, committed: used[kind] };
      const [one, other] = [JSON.stringify(balances[kind]), JSON.stringify(expected)];
      if (one !== other) differences.push(`${userId} ${kind}: ${one} instead of ${other}`);
    }
  }
  return differences;
}

interface GoodsData {
  stock: number | null;
  held: number;
}

/** Goods whose stock is not what they began with less what completed orders have taken. */
export async function stockDifferences(shop: Shop, orders: readonly StaffOrderData[]): Promise<string[]> {
  const differences: string[] = [];
  const lines = orders
    .filter((order) => done(order) && !order.refunds.some(({ restock, status }) => restock && status === 'confirmed'))
    .flatMap(({ items }) => items);
  for (const [goodsId, initial] of shop.goods) {
    const { stock, held } = succeeded(
      'goods',
      await shop.staff.call<GoodsData>('goods', 'GET', `/admin/goods/${goodsId}`),
    );
    const sold = sum(lines.filter((line) => line.goodsId === goodsId).map(({ qty }) => qty));
    const expected = initial === null ? null : initial - sold;
    if (stock !== expected || held !== 0)
      differences.push(`${goodsId}: stock ${stock} instead of ${expected}, ${held} held`);
  }
  return differences;
}

interface CouponPage {
  items: { couponId: string; status: string }[];
  nextCursor: string | null;
}

async function couponsOf({ tenantId, staff }: Shop): Promise<CouponPage['items']> {
  const all: CouponPage['items'] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/admin/coupons?tenantId=${tenantId}&limit=200${after}`;
    const page: CouponPage = succeeded('coupons', await staff.call<CouponPage>('coupons', 'GET', path));
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

/** Coupons that are used without a completed order, the other way round, or still reserved. */
export async function couponDifferences(shop: Shop, orders: readonly StaffOrderData[]): Promise<string[]> {
  const used = new Set(orders.filter(usesHolds).flatMap(({ pointsPlan }) => pointsPlan.couponIds));
  return (await couponsOf(shop))
    .filter(({ couponId, status }) => status !== (used.has(couponId) ? 'used' : 'available'))
    .map(({ couponId, status }) => `${couponId} is ${status}`);
}
