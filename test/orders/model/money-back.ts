import { type Database, rows } from '#db/database.ts';
import { triple } from '../support/shop.ts';
import { type Back, type ModelOrder, pointsOf } from './model.ts';
import { keptCharge, type PlacedOrder, type Real, type SeenOrder } from './real.ts';

/** What the model expects under a name, and what there is. */
export type Comparison = [name: string, expected: unknown, actual: unknown];

export const cents = (units: number): number => Math.round(units * 100);

/** What went back of a completed order, as the rows have it; money in cents. */
export interface MoneyBack {
  orderId: string;
  /** By the gateway, as asked for. */
  byService: number;
  atDesk: number;
  elsewhere: number;
  /** In disputes. */
  lost: number;
  /** In disputes that are open. */
  disputed: number;
  /** The ids of refunds at the desk. */
  desk: string[];
  /** As `id status`. */
  disputes: string[];
  /** Reports of refunds of which not all was left. */
  unmatched: number;
  restored: boolean;
  pieces: number;
  tenant: number;
  wallet: number;
  coupons: boolean;
  goods: number;
}

export const readBack = (database: Database, tenantId: string): Promise<MoneyBack[]> =>
  rows(
    database,
    `select o.order_id, r.*, d.*, (select count(*) from gateway_event e where e.order_id = o.order_id
         and e.type = 'charge.refunded' and e.status = 'unmatched') as unmatched,
       (select coalesce(sum((l ->> 'qty')::int), 0)::int from refund p cross join jsonb_array_elements(p.lines) l
        where p.order_id = o.order_id) as pieces,
       (select coalesce(sum((g ->> 'qty')::int), 0)::int from refund p cross join jsonb_array_elements(p.given_back -> 'goods') g
        where p.order_id = o.order_id and p.status = 'confirmed') as goods
     from customer_order o
     cross join lateral (select
         coalesce(sum(amount_minor) filter (where origin = 'service' and resolution is distinct from 'done_elsewhere'), 0)::int
           as by_service,
         coalesce(sum(amount_minor) filter (where origin = 'gateway'), 0)::int as at_desk,
         coalesce(sum(amount_minor) filter (where resolution = 'done_elsewhere'), 0)::int as elsewhere,
         coalesce(sum(amount_minor) filter (where origin = 'dispute'), 0)::int as lost,
         coalesce(array_agg(gateway_refund_id order by gateway_refund_id) filter (where origin = 'gateway'), '{}') as desk,
         coalesce(bool_or(restore_points), false) as restored,
         coalesce(sum((given_back -> 'points' ->> 'tenant')::int) filter (where status = 'confirmed'), 0)::int as tenant,
         coalesce(sum((given_back -> 'points' ->> 'wallet')::int) filter (where status = 'confirmed'), 0)::int as wallet,
         coalesce(bool_or((given_back ->> 'coupons')::boolean) filter (where status = 'confirmed'), false) as coupons
       from refund where order_id = o.order_id and kind = 'staff') r
     cross join lateral (select coalesce(sum(booked_minor) filter (where status = 'open'), 0)::int as disputed,
         coalesce(array_agg(dispute_id || ' ' || status order by dispute_id), '{}') as disputes
       from dispute where order_id = o.order_id) d
     where o.tenant_id = :tenantId and o.order_status = 30`,
    { tenantId },
  );

export const givenBackOf = ({ tenant, wallet, coupons: given, goods }: MoneyBack): Back => ({
  tenant,
  wallet,
  coupon: given ? 1 : 0,
  goods,
});

function paymentStatusOf(received: number, back: number): number {
  if (back === 0) return 30;
  return back < received ? 70 : 60;
}

/** The rows of a contested order against the gateway: every refund and dispute once, and never more than was received. */
export function compareBack(
  real: Real,
  order: ModelOrder,
  { placed, row, back }: { placed: PlacedOrder; row: SeenOrder; back: MoneyBack },
): Comparison[] {
  const charge = keptCharge(real, placed);
  if (!charge) return [[`${order.name}: has a charge`, true, false]];
  const received = cents(charge.amount);
  const { byService, atDesk, elsewhere, lost, disputed } = back;
  const refundedThere = cents(charge.refundedAmount);
  const desk = (charge.refunds ?? []).filter(({ idempotencyKey }) => idempotencyKey === undefined);
  const disputes = real.disputes
    .filter((one) => one.order === order)
    .map(({ dispute, outcome }) => `${dispute.disputeId} ${outcome ?? 'open'}`);
  const points = pointsOf(order);
  const hadPoints = points.tenant + points.wallet > 0;
  // Where the order took neither points nor a coupon, they count as given back with the last piece.
  const allBack =
    back.tenant === points.tenant &&
    back.wallet === points.wallet &&
    (back.coupons || (order.coupon === null && hadPoints));
  const payment = paymentStatusOf(received, byService + atDesk + elsewhere + lost);
  const told: Comparison[] =
    back.unmatched > 0
      ? []
      : [
          [`${order.name}: refunded by the gateway`, refundedThere, byService + atDesk],
          [
            `${order.name}: refunds at the desk`,
            String(desk.map(({ refundId }) => refundId).toSorted()),
            String(back.desk),
          ],
        ];
  return [
    ...told,
    [`${order.name}: given back without the gateway`, cents(real.elsewhere.get(charge.chargeId) ?? 0), elsewhere],
    [`${order.name}: no more back than came`, true, byService + atDesk + lost + disputed <= received],
    [`${order.name}: no more back than the gateway shows`, true, byService + atDesk <= refundedThere],
    [`${order.name}: disputes`, String(disputes.toSorted()), String(back.disputes)],
    [`${order.name}: no more pieces back than there are`, true, back.pieces <= order.qty && back.goods <= order.qty],
    [
      `${order.name}: no more points back than it took`,
      true,
      back.tenant <= points.tenant && back.wallet <= points.wallet,
    ],
    [`${order.name}: statuses`, `30/${back.restored && allBack ? 50 : 30}/${payment}`, triple(row)],
  ];
}
