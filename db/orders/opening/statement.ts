import { uuidv7 } from 'uuidv7';
import type { OrderErrorCode } from '#domain/orders/codes.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { PaymentRef, PaymentState, RejectionReason } from '#domain/orders/payment.ts';
import { orderStatus, type Statuses, transitions } from '#domain/orders/states.ts';
import type { ChargeTerms } from '../charges/sends.ts';
import type { Database, Transaction } from '#db/database.ts';
import { firstPrepared, type Prepared } from '#db/prepared.ts';
import { recordingStockOf } from '../catalogue/stock-history.ts';
import { paidOrderData, writingEvents } from '../merchant-events/events.ts';
import { holdsSomething, openHolds } from '../holds.ts';
import { type PaymentStateRow, relatedState, stateOf } from '../payments.ts';

/** What payOrder opens a payment with; the time is by the workflow's clock. */
export interface PaymentOpening extends PaymentRef {
  /** How often the charge has been sent once this is written: 1 if the caller sends it at once, so that it is counted before. */
  sends: 0 | 1;
  expiresAt: Date;
  resultUrl: string | null;
  cancelUrl: string | null;
}

/** SQL condition on goods `g` that an order wants so many of (`w`): they are there, and held for nobody else. */
const inStock = '(g.stock is null or g.stock - g.held >= w.qty)';

/**
 * The order, if it is still to be opened, and what it needs: coupons, points and stock, locked in this order and by id
 * within it, as everyone who takes or gives back does. Each is looked for only once everything before it is there. Stock
 * comes last: the whole shop may be waiting for its row, and all that follows is this statement's own rows.
 */
const locked = `o as materialized (
    select o.*, t.shop_id, o.total_minor = 0 as free, ${holdsSomething('o')} as holds,
      (o.tenant_points > 0)::int + (o.district_points > 0)::int + (o.wallet_points > 0)::int as kinds
    from customer_order o join tenant t on t.tenant_id = o.tenant_id
    where o.order_id = :orderId and o.attempt = :attempt and o.order_status = ${orderStatus.CREATED}
    for update of o),
  coupons as materialized (
    select c.coupon_id from o join coupon c on c.coupon_id = any(o.coupon_ids)
    where c.status = 'available' and c.tenant_id = o.tenant_id and c.user_id = o.user_id
    order by c.coupon_id for no key update of c),
  points as materialized (
    select a.kind, w.amount
    from o cross join lateral (values ('district', o.district_points), ('tenant', o.tenant_points),
        ('wallet', o.wallet_points)) w (kind, amount)
      join point_account a on a.tenant_id = o.points_tenant_id and a.user_id = o.user_id and a.kind = w.kind
    where w.amount > 0 and a.available >= w.amount and (select count(*) from coupons) = cardinality(o.coupon_ids)
    order by a.kind for no key update of a),
  wanted as materialized (
    select l."goodsId" as goods_id, sum(l.qty)::bigint as qty
    from o cross join lateral jsonb_to_recordset(o.lines) as l ("goodsId" text, qty bigint) group by 1),
  goods_row as materialized (
    select g.goods_id, w.qty from wanted w join goods g using (goods_id)
    where ${inStock} and (select count(*) from points) = (select kinds from o)
    order by g.goods_id for no key update of g)`;

/** What an order cannot have now. */
type Missing = 'shop' | 'coupon' | 'open_holds' | 'stock' | 'points';

/** Why a payment is not opened. */
export interface Refusal {
  code: OrderErrorCode;
  reason?: RejectionReason;
}

const refusals: Record<Missing, Refusal> = {
  shop: { code: 90204 },
  coupon: { code: 90201 },
  open_holds: { code: 90039, reason: 'open_holds' },
  stock: { code: 90039 },
  points: { code: 90300 },
};

/**
 * SQL for the first thing that the order is refused for, or null: the only place that says what opens a payment. Stock
 * is refused before points but locked after them, so without the points it is only looked at.
 */
const missing = `case
      when not o.free and o.shop_id is null then 'shop'
      when (select count(*) from coupons) < cardinality(o.coupon_ids) then 'coupon'
      when not o.free and o.holds and (${openHolds}) >= cast(:maxOpenHolds as bigint) then 'open_holds'
      when (select count(*) from points) < o.kinds then case
        when (select count(*) from wanted w join goods g using (goods_id) where ${inStock})
          < (select count(*) from wanted) then 'stock'
        else 'points' end
      when (select count(*) from goods_row) < (select count(*) from wanted) then 'stock'
    end`;

/** Points alone are taken at once, so nothing of them stays held. */
const decided = `decided as materialized (select o.*, ${missing} as missing from o),
  ready as materialized (select * from decided where missing is null)`;

/** SQL for where the order `d` gets on one axis. A refused one stays, and its next pay is an attempt of its own. */
const statusOf = (axis: keyof Statuses): string => `case
      when d.missing is not null then ${transitions.created()[axis]}
      when d.free then ${transitions.doneWithoutCash()[axis]}
      when d.kinds > 0 then ${transitions.pending(true)[axis]}
      else ${transitions.pending(false)[axis]} end`;

const moved = `attempted as (
    insert into payment_attempt
      (order_id, attempt, hold_status, expires_at, result_url, cancel_url, shop_id, charge_sends)
    select order_id, attempt, case when free then 'committed' else 'reserved' end, cast(:expiresAt as timestamptz),
      :resultUrl, :cancelUrl, shop_id, cast(:sends as integer) from ready),
  moved as (
    update customer_order c
    set order_status = ${statusOf('orderStatus')}, points_status = ${statusOf('pointsStatus')},
      payment_status = ${statusOf('paymentStatus')}, attempt = c.attempt + (d.missing is not null)::int, updated_at = now()
    from decided d where c.order_id = d.order_id
    returning c.order_id, c.order_no, c.tenant_id, c.attempt, c.total_minor, c.currency,
      c.order_status, c.points_status, c.payment_status, c.carrier_id, c.carrier_type, c.npoban, c.buyer_identifier,
      c.buyer_name, d.shop_id, d.title, d.missing)`;

/** Both books. A payment without cash commits its holds at once. */
const booked = `due as (
    insert into cash_entry (movement, account, amount_minor, currency, tenant_id, order_id)
    select concat_ws(':', 'due', order_id, attempt), s.account, s.sign * total_minor, currency, tenant_id, order_id
    from ready cross join (values ('receivable', 1), ('sales', -1)) s (account, sign) where not free),
  entries as (
    insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind, order_id)
    select concat_ws(':', s.movement, r.order_id, r.attempt, p.kind), s.bucket, s.sign * p.amount,
      r.points_tenant_id, r.user_id, p.kind, r.order_id
    from ready r cross join points p cross join (values
        (false, 'reserve', 'available', -1), (false, 'reserve', 'reserved', 1),
        (true, 'commit', 'reserved', -1), (true, 'commit', 'committed', 1)
      ) s (commits, movement, bucket, sign)
    where r.free or not s.commits)`;

/** Unlimited stock is null, and stays so: null minus a quantity is null. */
const taken = `accounts as (
    update point_account a set available = a.available - p.amount,
      reserved = a.reserved + case when r.free then 0 else p.amount end,
      committed = a.committed + case when r.free then p.amount else 0 end
    from ready r cross join points p
    where a.tenant_id = r.points_tenant_id and a.user_id = r.user_id and a.kind = p.kind),
  used as (
    update coupon c set status = case when r.free then 'used' else 'reserved' end, order_id = r.order_id
    from ready r cross join coupons l where c.coupon_id = l.coupon_id),
  sold as (
    update goods g set held = g.held + case when r.free then 0 else l.qty end,
      stock = g.stock - case when r.free then l.qty else 0 end
    from ready r cross join goods_row l where g.goods_id = l.goods_id
    returning g.goods_id, r.order_id, g.stock, case when r.free then -l.qty else 0 end as delta),
  noted as (${recordingStockOf('sold')})`;

/** All or nothing: one row says which; none, that the order has changed. */
const openOrder: Prepared = {
  name: 'open-payment',
  sql: `with ${locked}, ${decided}, ${moved}, ${booked}, ${taken},
  ${writingEvents({ source: `(select * from moved where order_status = ${orderStatus.DONE})`, type: `'order.paid'`, data: paidOrderData })}
  select o.order_id, o.order_no, o.tenant_id, o.attempt, o.total_minor, o.order_status, o.points_status, o.payment_status,
    null as charge_id, null as payment_url,
    case when o.missing is null then cast(:expiresAt as timestamptz) end as expires_at,
    cast(null as timestamptz) as read_at, false as cancel_requested, ${relatedState}, o.currency, o.shop_id, o.title, o.missing
  from moved o`,
};

type MovedRow = PaymentStateRow &
  Pick<ChargeTerms, 'currency' | 'shopId'> & { title: string | null; missing: Missing | null };

/** A payment that was just opened, with the request to the gateway, or refused. */
export type Opened = { state: PaymentState } & ({ error: null; terms: ChargeTerms } | { error: Refusal; terms: null });

function openedOf({ currency, shopId, title, missing: lacked, ...row }: MovedRow, opening: PaymentOpening): Opened {
  const state = stateOf(row);
  if (lacked !== null) return { state, error: refusals[lacked], terms: null };
  const { sends, expiresAt, resultUrl, cancelUrl } = opening;
  const { orderNo } = row;
  const amount = fromMinor(row.totalMinor);
  const terms = { orderNo, shopId, amount, currency, description: title ?? orderNo };
  return { state, error: null, terms: { ...terms, resultUrl, cancelUrl, expiresAt, sends } };
}

/**
 * Opens a payment in one statement, with everything it takes, or says why it cannot be: then nothing is held, and the next
 * pay is another attempt. Where a payer's open holds are limited, the caller makes the payer's payments come one after
 * the other.
 * @returns null if the order is not at CREATED or at another attempt: nothing is written then.
 */
export async function openIfPossible(
  database: Database | Transaction,
  opening: PaymentOpening,
  maxOpenHolds: number,
): Promise<Opened | null> {
  const row = await firstPrepared<MovedRow>(database, openOrder, {
    ...opening,
    maxOpenHolds,
    eventId: uuidv7(),
    deliveryId: uuidv7(),
  });
  return row && openedOf(row, opening);
}
