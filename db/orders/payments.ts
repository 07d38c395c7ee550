import { fn, raw } from 'objection';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { orderStatus, transitions, type Statuses } from '#domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { firstPrepared, type Prepared } from '../prepared.ts';
import { recordStatusEvent } from './merchant-events/events.ts';
import { Order } from './models/orders.ts';
import { PaymentAttempt } from './models/payments.ts';
import { orderSelect, type OrderRow, type PayersOrder } from './orders.ts';
import { transact } from './transaction.ts';

/**
 * Reads the order and locks its row: all transitions of one order wait for each other here. After a wait only the
 * columns of its own row are as they are now; what comes from other tables (flags, link, refunds) has to be read again.
 */
export async function lockOrder(transaction: Transaction, orderId: string): Promise<OrderRow | null> {
  return firstRow(transaction, `${orderSelect} where o.order_id = :orderId for update of o`, { orderId });
}

export async function setStatuses(
  transaction: Transaction,
  order: OrderRow,
  statuses: Statuses,
  more: { nextAttempt?: boolean } = {},
): Promise<void> {
  await Order.query(transaction)
    .findById(order.orderId)
    .patch({ ...statuses, ...(more.nextAttempt ? { attempt: raw('attempt + 1') } : {}), updatedAt: fn.now() });
  await recordStatusEvent(transaction, order, statuses);
}

/** SQL for the columns of other tables about the payment of the order `o`. */
export const relatedState = `
    exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null
       and f.resolution is null) as flagged,
    (select min(f.resolution) from order_flag f where f.order_id = o.order_id and f.resolved_at is null
       and f.resolution is not null) as resolution,
    exists (select 1 from gateway_event e where e.order_id = o.order_id and e.status = 'stored') as paid_event,
    array(select r.refund_id from refund r where r.order_id = o.order_id and r.status = 'pending') as pending_refunds`;

const stateSelect = `select o.order_id, o.order_no, o.tenant_id, o.attempt, o.total_minor,
    o.order_status, o.points_status, o.payment_status,
    a.charge_id, case when o.order_status = ${orderStatus.PAYMENT_PENDING} then a.payment_url end as payment_url,
    a.expires_at, a.read_at, coalesce(a.cancel_requested, false) as cancel_requested, ${relatedState}
  from customer_order o left join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
  where o.order_id = :orderId`;

const readState: Prepared = { name: 'read-payment', sql: stateSelect };
const readPayersState: Prepared = {
  name: 'read-payers-payment',
  sql: `${stateSelect} and o.tenant_id = :tenantId and o.user_id = :userId`,
};

export type PaymentStateRow = Omit<PaymentState, 'expiresAt' | 'readAt'> & {
  expiresAt: Date | null;
  readAt: Date | null;
};

export const stateOf = (row: PaymentStateRow): PaymentState => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  readAt: row.readAt?.toISOString() ?? null,
});

/** The payment according to its rows; null if there is no such order. */
export async function findPayment(database: Database, orderId: string): Promise<PaymentState | null> {
  const row = await firstPrepared<PaymentStateRow>(database, readState, { orderId });
  return row && stateOf(row);
}

/** The same for an order of this payer at this tenant; null if it belongs to someone else. */
export async function findPayersPayment(database: Database, key: PayersOrder): Promise<PaymentState | null> {
  const row = await firstPrepared<PaymentStateRow>(database, readPayersState, { ...key });
  return row && stateOf(row);
}

/** An order that once existed is missing: the database was restored to a time before it. Retrying does not help. */
export class OrderGone extends Error {
  override name = 'OrderGone';

  constructor(orderId: string) {
    super(`order ${orderId} no longer exists`);
  }
}

/** Like findPayment, for an order that is known to exist. @throws OrderGone */
export async function readPayment(database: Database, orderId: string): Promise<PaymentState> {
  const state = await findPayment(database, orderId);
  if (!state) throw new OrderGone(orderId);
  return state;
}

/** CREATED → CANCELLED. @returns false if the order is in another state. */
export async function cancelCreated(database: Database, orderId: string): Promise<boolean> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId);
    if (order?.orderStatus !== orderStatus.CREATED) return false;
    await setStatuses(transaction, order, transitions.cancelledBeforePay());
    return true;
  });
}

/** Stores that the payer wants to cancel, so that the request survives the loss of the workflow. */
export async function requestCancel(database: Database, ref: PaymentRef): Promise<void> {
  await PaymentAttempt.query(database)
    .findById([ref.orderId, ref.attempt])
    .where({ holdStatus: 'reserved' })
    .patch({ cancelRequested: true });
}
