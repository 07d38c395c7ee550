import { openOrderStatuses } from '#domain/orders/states.ts';
import { type Database, firstRow } from '../database.ts';

export interface OrderFigures {
  /** Payments that hold points, stock or coupons. */
  holds: number;
  /** How long ago the oldest of them should have ended, in seconds; 0 if none is late. Flagged orders wait for staff. */
  holdOverdueSeconds: number;
  /** How long the pending charge that has waited longest has not been read, in seconds; 0 if there is none. */
  chargeUnreadSeconds: number;
  /** For how long the charge of an ended payment has been due to be read, however often that failed; 0 if none is. */
  lateReadOverdueSeconds: number;
  /** Refunds that the gateway has not confirmed. */
  refunds: number;
  /** The age of the oldest of them in seconds; 0 if there is none. */
  oldestRefundSeconds: number;
  /** Refunds that the gateway does not carry out. */
  refundsNeedStaff: number;
  /** Orders with a flag that staff have not resolved. */
  flagged: number;
  /** Callbacks on the staff's list: unresolved ones that no order accepts. */
  unmatched: number;
  /** The age of the oldest of them in seconds; 0 if there is none. */
  oldestUnmatchedSeconds: number;
  /** Callbacks for an unknown shop, which are on no tenant's list. */
  foreignShop: number;
}

const secondsSince = (time: string) => `coalesce(extract(epoch from now() - (${time})), 0)::float`;

/** A flagged order waits for staff, not for its charge. */
const unread = `select coalesce(a.read_at, a.created_at) from payment_attempt a
  where a.hold_status = 'reserved' and a.charge_id is not null
    and not exists (select 1 from order_flag f where f.order_id = a.order_id and f.resolved_at is null)
  order by coalesce(a.read_at, a.created_at) limit 1`;

/** By the index of holds that expire. */
const overdueHold = `select a.expires_at from payment_attempt a
  where a.hold_status = 'reserved'
    and not exists (select 1 from order_flag f where f.order_id = a.order_id and f.resolved_at is null)
  order by a.expires_at limit 1`;

/** A read that fails is planned again, and has been due since the first time. */
const lateRead = `select min(coalesce(read_due_at, next_read_at)) from payment_attempt where next_read_at is not null`;

const callbacks = `select count(*) filter (where t.tenant_id is not null) as unmatched,
    min(e.received_at) filter (where t.tenant_id is not null) as oldest,
    count(*) filter (where t.tenant_id is null) as foreign_shop
  from gateway_event e left join tenant t on t.shop_id = e.shop_id
  where e.status in ('unmatched', 'ignored') and e.resolution is null`;

const figures = `select
    (select count(*) from customer_order o join payment_attempt a using (order_id)
      where o.order_status in (${openOrderStatuses.join(', ')}) and a.hold_status = 'reserved') as holds,
    greatest(0, ${secondsSince(overdueHold)}) as hold_overdue_seconds,
    ${secondsSince(unread)} as charge_unread_seconds,
    greatest(0, ${secondsSince(lateRead)}) as late_read_overdue_seconds,
    (select count(*) from refund where status = 'pending') as refunds,
    ${secondsSince(`select min(created_at) from refund where status = 'pending'`)} as oldest_refund_seconds,
    (select count(*) from refund where status = 'needs_staff') as refunds_need_staff,
    (select count(distinct order_id) from order_flag where resolved_at is null) as flagged,
    c.unmatched, ${secondsSince('c.oldest')} as oldest_unmatched_seconds, c.foreign_shop
  from (${callbacks}) c`;

/**
 * Across all tenants, without naming any: for the operators of the service. Every part reads an index that has only
 * what is open.
 */
export async function readOrderFigures(database: Database): Promise<OrderFigures> {
  const row = await firstRow<OrderFigures>(database, figures, {});
  if (!row) throw new Error('a query without a condition has no row');
  return row;
}
