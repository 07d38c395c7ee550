import { openOrderStatuses, orderStatus } from '#domain/orders/states.ts';
import { type Database, rows } from '../database.ts';

export interface SweptOrder {
  orderId: string;
  tenantId: string;
  attempt: number;
}

export interface SweptRefund {
  refundId: string;
  /** Null for money of an unknown order. */
  orderId: string | null;
  tenantId: string;
}

/** A payment's own workflow reads its charge at most this far apart; one that has not was lost. */
const UNREAD = `interval '6 minutes'`;

/** Younger work is still being handled by the request or workflow that began it. */
const PATIENCE = `interval '5 seconds'`;

/**
 * The ids of orders with something overdue, each kind from an index that has only the rows of payments in progress: an
 * unresolved reservation, a charge without a response, a cancel, an expiry that has passed, a charge that nobody reads,
 * a recorded callback that no read has seen, a staff decision.
 */
const overdue = [
  `select order_id from customer_order where order_status = ${orderStatus.POINTS_UNKNOWN}`,
  `select order_id from payment_attempt where hold_status = 'reserved' and (charge_id is null or cancel_requested)`,
  `select order_id from payment_attempt where hold_status = 'reserved' and expires_at < :now - ${PATIENCE}`,
  // Driven already, its run reads it as often as the gateway lets it: a signal would make no read succeed.
  `select a.order_id from payment_attempt a join customer_order driven on driven.order_id = a.order_id
   where a.hold_status = 'reserved' and a.charge_id is not null and coalesce(a.read_at, a.created_at) < :now - ${UNREAD}
     and coalesce(driven.driven_at, '-infinity') < :now - ${UNREAD}`,
  `select e.order_id from gateway_event e join payment_attempt a on a.order_id = e.order_id and a.hold_status = 'reserved'
   where e.status = 'stored' and e.received_at < :now - ${PATIENCE} and e.received_at > coalesce(a.read_at, '-infinity')`,
  `select order_id from order_flag where resolved_at is null and resolution is not null`,
];

/** A flagged order waits for its staff: nothing but their decision drives it. */
const driveable = `o.order_status in (${openOrderStatuses.join(', ')}) and o.updated_at < :now - ${PATIENCE}
  and (not exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null)
    or exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null
      and f.resolution is not null))`;

/**
 * Orders with something overdue. `now` is the caller's clock. Each call gives its turn to those that have waited
 * longest for it, so that many orders that cannot proceed (the gateway is down) do not starve the others; one that is
 * locked is being worked on.
 */
export async function ordersToDrive(database: Database, now: Date, limit: number): Promise<SweptOrder[]> {
  return rows(
    database,
    `with due as (${overdue.join(' union ')}),
     turn as (
       select due.order_id from due cross join lateral (
         -- The offset keeps the planner from reading all orders where it expects much to be overdue.
         select o.driven_at from customer_order o where o.order_id = due.order_id and ${driveable} offset 0) o
       order by o.driven_at nulls first, due.order_id limit :limit),
     free as (
       select order_id from customer_order where order_id = any(array(select order_id from turn))
       for no key update skip locked)
     update customer_order o set driven_at = clock_timestamp() from free where o.order_id = free.order_id
     returning o.order_id, o.tenant_id, o.attempt`.replaceAll(':now', 'cast(:now as timestamptz)'),
    { now, limit },
  );
}

/** How long a refund's workflow is left alone before the sweep looks after it again. */
const NEXT_TURN = `interval '30 seconds'`;

/**
 * Pending refunds that are due, the longest due first. `now` is the caller's clock. Each call gives its turn to those it
 * returns; a locked one is being worked on.
 */
export async function refundsToDrive(database: Database, now: Date, limit: number): Promise<SweptRefund[]> {
  return rows(
    database,
    `with due as materialized (
       select refund_id from refund where status = 'pending' and drive_at <= :now
       order by drive_at limit :limit for no key update skip locked)
     update refund r set drive_at = :now + ${NEXT_TURN} from due where r.refund_id = due.refund_id
     returning r.refund_id, r.order_id, r.tenant_id`.replaceAll(':now', 'cast(:now as timestamptz)'),
    { now, limit },
  );
}
