import { fn, raw } from 'objection';
import type { PaymentRef, PaymentState } from '../../domain/orders/payment.ts';
import { orderStatus, transitions, type Statuses } from '../../domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { HoldRefused, type MissingHold, missingHold, takeHold } from './holds.ts';
import { bookDue } from './books/cash.ts';
import { hasPoints } from './ledger.ts';
import { recordStatusEvent } from './merchant-events/events.ts';
import { Order } from './models/orders.ts';
import { PaymentAttempt } from './models/payments.ts';
import { orderSelect, type OrderRow, type PayersOrder } from './orders.ts';
import {
  missingPaymentGatewaySetting,
  type PaymentGatewaySetting,
  readPaymentGatewaySetting,
} from './payment-gateway-setting.ts';
import { transact } from './transaction.ts';

/** What payOrder opens a payment with; the time is by the workflow's clock. */
export interface PaymentOpening extends PaymentRef {
  expiresAt: Date;
  resultUrl: string | null;
  cancelUrl: string | null;
}

export interface OpenedPayment {
  state: PaymentState;
  error: MissingHold | null;
}

/** What the service allows. */
export interface HoldLimits {
  /** Payments of one payer at one tenant that hold something and are neither paid nor ended. */
  maxOpenHolds: number;
}

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

const stateSelect = `select o.order_id, o.order_no, o.tenant_id, o.attempt, o.total_minor,
    o.order_status, o.points_status, o.payment_status,
    a.charge_id, case when o.order_status = ${orderStatus.PAYMENT_PENDING} then a.payment_url end as payment_url,
    a.expires_at, a.read_at, coalesce(a.cancel_requested, false) as cancel_requested,
    exists (select 1 from order_flag f where f.order_id = o.order_id and f.resolved_at is null
       and f.resolution is null) as flagged,
    (select min(f.resolution) from order_flag f where f.order_id = o.order_id and f.resolved_at is null
       and f.resolution is not null) as resolution,
    exists (select 1 from gateway_event e where e.order_id = o.order_id and e.status = 'stored') as paid_event,
    array(select r.refund_id from refund r where r.order_id = o.order_id and r.status = 'pending') as pending_refunds
  from customer_order o left join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
  where o.order_id = :orderId`;

type StateRow = Omit<PaymentState, 'expiresAt' | 'readAt'> & { expiresAt: Date | null; readAt: Date | null };

const stateOf = (row: StateRow): PaymentState => ({
  ...row,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  readAt: row.readAt?.toISOString() ?? null,
});

/** The payment according to its rows; null if there is no such order. */
export async function findPayment(database: Database, orderId: string): Promise<PaymentState | null> {
  const row = await firstRow<StateRow>(database, stateSelect, { orderId });
  return row && stateOf(row);
}

/** The same for an order of this payer at this tenant; null if it belongs to someone else. */
export async function findPayersPayment(database: Database, key: PayersOrder): Promise<PaymentState | null> {
  const own = `${stateSelect} and o.tenant_id = :tenantId and o.user_id = :userId`;
  const row = await firstRow<StateRow>(database, own, { ...key });
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

/** Writes the payment and takes what the order needs, goods last: their rows are locked only for the commit. */
async function hold(
  transaction: Transaction,
  order: OrderRow,
  opening: PaymentOpening,
  { shopId, maxOpenHolds }: PaymentGatewaySetting & HoldLimits,
): Promise<PaymentState> {
  const { orderId, attempt, expiresAt, resultUrl, cancelUrl } = opening;
  const free = order.totalMinor === 0;
  const holdStatus = free ? 'committed' : 'reserved';
  await PaymentAttempt.query(transaction).insert({
    orderId,
    attempt,
    holdStatus,
    expiresAt,
    resultUrl,
    cancelUrl,
    shopId,
  });
  await setStatuses(transaction, order, free ? transitions.doneWithoutCash() : transitions.pending(hasPoints(order)));
  if (!free) await bookDue(transaction, order);
  const state = await readPayment(transaction, orderId);
  await takeHold(transaction, order, maxOpenHolds);
  return state;
}

/** The order, locked, if its payment at this attempt is still to be opened; otherwise how things stand. */
async function lockUnopened(
  transaction: Transaction,
  { orderId, attempt }: PaymentRef,
): Promise<{ order: OrderRow } | { opened: OpenedPayment }> {
  const order = await lockOrder(transaction, orderId);
  if (!order) throw new OrderGone(orderId);
  if (order.orderStatus === orderStatus.CREATED && order.attempt === attempt) return { order };
  return { opened: { state: await readPayment(transaction, orderId), error: null } };
}

async function refuse(transaction: Transaction, order: OrderRow, error: MissingHold): Promise<OpenedPayment> {
  await setStatuses(transaction, order, transitions.created(), { nextAttempt: true });
  return { state: await readPayment(transaction, order.orderId), error };
}

/** @throws HoldRefused if something cannot be had; nothing is written then. */
async function tryToOpen(database: Database, opening: PaymentOpening, limits: HoldLimits): Promise<OpenedPayment> {
  return transact(database, async (transaction) => {
    const found = await lockUnopened(transaction, opening);
    if ('opened' in found) return found.opened;
    const { order } = found;
    const setting = await readPaymentGatewaySetting(transaction, order.tenantId);
    const code = missingPaymentGatewaySetting(order, setting);
    if (code !== null) return refuse(transaction, order, { code });
    return { state: await hold(transaction, order, opening, { ...setting, ...limits }), error: null };
  });
}

/** Finds out what could not be had; null if by now everything can. */
async function refuseIfMissing(
  database: Database,
  opening: PaymentOpening,
  { maxOpenHolds }: HoldLimits,
): Promise<OpenedPayment | null> {
  return transact(database, async (transaction) => {
    const found = await lockUnopened(transaction, opening);
    if ('opened' in found) return found.opened;
    const missing = await missingHold(transaction, found.order, maxOpenHolds);
    return missing && refuse(transaction, found.order, missing);
  });
}

/** How often a payment is opened again because what was missing had come back when it was looked for. */
const TRIES = 5;

/**
 * CREATED → PAYMENT_PENDING with points, stock and coupons held, or → DONE if nothing is payable. An order in another
 * state, or at another attempt, is left unchanged. An error holds nothing and increments the attempt, so that the
 * next pay is evaluated afresh.
 * @throws CommitUnknown, OrderGone
 */
export async function openPayment(
  database: Database,
  opening: PaymentOpening,
  limits: HoldLimits,
): Promise<OpenedPayment> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryToOpen(database, opening, limits);
    } catch (error) {
      if (!(error instanceof HoldRefused) || tries === TRIES) throw error;
    }
    const refused = await refuseIfMissing(database, opening, limits);
    if (refused) return refused;
  }
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
