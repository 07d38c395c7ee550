import { openOrderStatuses, orderStatus } from '../../domain/orders/states.ts';
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
 * Orders with something overdue: an unresolved reservation, a charge without a response, an expiry that has passed, a
 * recorded callback that no read has seen, a charge that nobody reads, a cancel or a staff decision. `now` is the caller's clock. Picked at random, so that many orders
 * that cannot proceed (the gateway is down) do not starve the others.
 */
export async function ordersToDrive(database: Database, now: Date, limit: number): Promise<SweptOrder[]> {
  return rows(
    database,
    `select o.order_id, o.tenant_id, o.attempt
     from customer_order o left join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
     where o.order_status in (${openOrderStatuses.join(', ')}) and o.updated_at < :now - ${PATIENCE}
       and case when exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null)
         then exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null
           and f.resolution is not null)
         else o.order_status = ${orderStatus.POINTS_UNKNOWN} or a.charge_id is null or a.cancel_requested or a.expires_at < :now - ${PATIENCE}
           or exists (select 1 from gateway_event e where e.order_id = o.order_id and e.status = 'stored'
             and e.received_at < :now - ${PATIENCE} and e.received_at > coalesce(a.read_at, '-infinity'))
           or coalesce(a.read_at, a.created_at) < :now - ${UNREAD}
         end
     order by random() limit :limit`.replaceAll(':now', 'cast(:now as timestamptz)'),
    { now, limit },
  );
}

/** Refunds that are not confirmed. */
export async function refundsToDrive(database: Database, now: Date, limit: number): Promise<SweptRefund[]> {
  return rows(
    database,
    `select r.refund_id, r.order_id, r.tenant_id
     from refund r
     where r.status = 'pending' and r.created_at < cast(:now as timestamptz) - ${PATIENCE}
     order by random() limit :limit`,
    { now, limit },
  );
}
