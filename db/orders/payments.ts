import type { OrderErrorCode } from '../../domain/orders/codes.ts';
import type { PaymentRef, PaymentState } from '../../domain/orders/payment.ts';
import { orderStatus, transitions, type Statuses } from '../../domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { changeHold, missingHold } from './holds.ts';
import { hasPoints } from './ledger.ts';
import { orderSelect, type OrderRow } from './orders.ts';
import { transact } from './transaction.ts';

/** Opening a payment: what payOrder is asked to do, with its own idea of time. */
export interface PaymentOpening extends PaymentRef {
  expiresAt: Date;
  resultUrl: string | null;
  cancelUrl: string | null;
}

export interface OpenedPayment {
  state: PaymentState;
  refused: OrderErrorCode | null;
}

/** The order and its row lock; all transitions of one order wait for each other here. */
export async function lockOrder(trx: Transaction, orderId: string): Promise<OrderRow | null> {
  return firstRow(trx, `${orderSelect} where o.order_id = :orderId for update of o`, { orderId });
}

export async function setStatuses(
  trx: Transaction,
  order: OrderRow,
  statuses: Statuses,
  more: { nextAttempt?: boolean } = {},
): Promise<void> {
  await trx.raw(
    `update customer_order set order_status = :orderStatus, points_status = :pointsStatus,
       payment_status = :paymentStatus, attempt = attempt + :step, updated_at = now()
     where order_id = :orderId`,
    { ...statuses, orderId: order.orderId, step: more.nextAttempt ? 1 : 0 },
  );
}

const stateSelect = `select o.order_id, o.order_no, o.tenant_id, o.attempt,
    o.order_status, o.points_status, o.payment_status,
    a.charge_id, case when o.order_status = 20 then a.payment_url end as payment_url,
    a.expires_at, coalesce(a.cancel_requested, false) as cancel_requested,
    exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolution is null) as flagged,
    (select min(f.resolution) from order_flag f where f.order_id = o.order_id and f.resolved_at is null
       and f.resolution is not null) as resolution,
    exists (select 1 from gateway_event e where e.order_id = o.order_id and e.status = 'stored') as paid_event,
    array(select r.charge_id from refund r where r.order_id = o.order_id and r.status = 'pending') as pending_refunds
  from customer_order o left join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
  where o.order_id = :orderId`;

/** What the rows say; null where there is no such order. */
export async function findPayment(database: Database, orderId: string): Promise<PaymentState | null> {
  const row = await firstRow<Omit<PaymentState, 'expiresAt'> & { expiresAt: Date | null }>(database, stateSelect, {
    orderId,
  });
  return row && { ...row, expiresAt: row.expiresAt?.toISOString() ?? null };
}

/** An order that was there is not: the database was restored from before it. Asking again does not help. */
export class OrderGone extends Error {
  override name = 'OrderGone';

  constructor(orderId: string) {
    super(`order ${orderId} is gone`);
  }
}

/** As findPayment, where the order is known to exist. @throws OrderGone */
export async function readPayment(database: Database, orderId: string): Promise<PaymentState> {
  const state = await findPayment(database, orderId);
  if (!state) throw new OrderGone(orderId);
  return state;
}

interface TenantTerms {
  shopId: string | null;
  currency: string;
}

async function termsOf(trx: Transaction, tenantId: string): Promise<TenantTerms> {
  const terms = await firstRow<TenantTerms>(trx, 'select shop_id, currency from tenant where tenant_id = :tenantId', {
    tenantId,
  });
  if (!terms) throw new Error(`tenant ${tenantId} is gone`);
  return terms;
}

/** Why an order cannot be paid now, in the order of the contract; null where it can. Locks what it needs. */
async function refusal(trx: Transaction, order: OrderRow, terms: TenantTerms): Promise<OrderErrorCode | null> {
  if (order.totalMinor > 0 && terms.shopId === null) return 90204;
  return missingHold(trx, order);
}

async function hold(trx: Transaction, order: OrderRow, opening: PaymentOpening, terms: TenantTerms): Promise<void> {
  const free = order.totalMinor === 0;
  await changeHold(trx, 'reserve', order);
  // Nothing is payable at the gateway, so nothing can come between reserving and committing.
  if (free) await changeHold(trx, 'commit', order);
  await trx.raw(
    `insert into payment_attempt (order_id, attempt, hold_status, expires_at, result_url, cancel_url, shop_id, currency)
     values (:orderId, :attempt, :holdStatus, :expiresAt, :resultUrl, :cancelUrl, :shopId, :currency)`,
    { ...opening, ...terms, holdStatus: free ? 'committed' : 'reserved' },
  );
  await setStatuses(trx, order, free ? transitions.doneWithoutCash() : transitions.pending(hasPoints(order)));
}

/**
 * CREATED → PAYMENT_PENDING with points, stock and coupons held, or → DONE where nothing is payable. An order in another
 * state, or at another attempt, is left as it is. A refusal holds nothing and raises the attempt, so that the next pay
 * is looked at afresh.
 * @throws CommitUnknown, OrderGone
 */
export async function openPayment(database: Database, opening: PaymentOpening): Promise<OpenedPayment> {
  return transact(database, async (trx) => {
    const order = await lockOrder(trx, opening.orderId);
    if (!order) throw new OrderGone(opening.orderId);
    if (order.orderStatus !== orderStatus.CREATED || order.attempt !== opening.attempt) {
      return { state: await readPayment(trx, order.orderId), refused: null };
    }
    const terms = await termsOf(trx, order.tenantId);
    const code = await refusal(trx, order, terms);
    if (code === null) await hold(trx, order, opening, terms);
    else await setStatuses(trx, order, transitions.created(), { nextAttempt: true });
    return { state: await readPayment(trx, order.orderId), refused: code };
  });
}

async function holdExists(trx: Transaction, ref: PaymentRef): Promise<boolean> {
  const found = await firstRow(trx, 'select 1 from payment_attempt where order_id = :orderId and attempt = :attempt', {
    ...ref,
  });
  return found !== null;
}

/** An order whose reservation may or may not be there, as far as its row can say so: 10/20/0. */
export async function markReservationUnknown(database: Database, ref: PaymentRef): Promise<void> {
  await transact(database, async (trx) => {
    const order = await lockOrder(trx, ref.orderId);
    if (order?.attempt !== ref.attempt) return;
    const open = order.orderStatus === orderStatus.CREATED || order.orderStatus === orderStatus.PAYMENT_PENDING;
    if (open) await setStatuses(trx, order, transitions.reservationUnknown(hasPoints(order)));
  });
}

/**
 * POINTS_UNKNOWN → PAYMENT_PENDING where the reservation is there, else back to CREATED. The order's row lock makes a
 * commit that is still under way come first.
 */
export async function resolveReservation(database: Database, ref: PaymentRef): Promise<PaymentState> {
  return transact(database, async (trx) => {
    const order = await lockOrder(trx, ref.orderId);
    if (order?.orderStatus === orderStatus.POINTS_UNKNOWN && order.attempt === ref.attempt) {
      if (await holdExists(trx, ref)) await setStatuses(trx, order, transitions.pending(hasPoints(order)));
      else await setStatuses(trx, order, transitions.created(), { nextAttempt: true });
    }
    return readPayment(trx, ref.orderId);
  });
}

/** CREATED → CANCELLED. @returns false where the order is in another state. */
export async function cancelCreated(database: Database, orderId: string): Promise<boolean> {
  return transact(database, async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order?.orderStatus !== orderStatus.CREATED) return false;
    await setStatuses(trx, order, transitions.cancelledBeforePay());
    return true;
  });
}

/** Remembers that the payer wants to cancel, so that no lost workflow forgets it. */
export async function requestCancel(database: Database, ref: PaymentRef): Promise<void> {
  await database.raw(
    `update payment_attempt set cancel_requested = true
     where order_id = :orderId and attempt = :attempt and hold_status = 'reserved'`,
    { ...ref },
  );
}
