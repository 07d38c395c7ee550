import { openOrderStatuses } from '../../domain/orders/states.ts';
import { type Database, firstRow } from '../database.ts';

export interface OrderFigures {
  /** Payments that hold points, stock or coupons. */
  holds: number;
  /** Refunds that the gateway has not confirmed. */
  refunds: number;
  /** Orders with a flag that staff have not resolved. */
  flagged: number;
}

/** Across all tenants, without naming any: for the operators of the service. */
export async function readOrderFigures(database: Database): Promise<OrderFigures> {
  const row = await firstRow<OrderFigures>(
    database,
    `select (select count(*) from customer_order o join payment_attempt a using (order_id)
              where o.order_status in (${openOrderStatuses.join(', ')}) and a.hold_status = 'reserved') as holds,
            (select count(*) from refund where status = 'pending') as refunds,
            (select count(distinct order_id) from order_flag where resolved_at is null) as flagged`,
    {},
  );
  return row ?? { holds: 0, refunds: 0, flagged: 0 };
}
