import type { PaymentState } from '#domain/orders/payment.ts';
import { orderStatus, transitions } from '#domain/orders/states.ts';
import type { Database, Transaction } from '#db/database.ts';
import { type MissingHold, missingHold, queueOpenHolds } from '../holds.ts';
import type { OrderRow } from '../orders.ts';
import { missingPaymentGatewaySetting, readPaymentGatewaySetting } from '../payment-gateway-setting.ts';
import { lockOrder, OrderGone, readPayment, setStatuses } from '../payments.ts';
import { transact } from '../transaction.ts';
import type { ChargeTerms } from '../charges/sends.ts';
import { type Opened, openIfPossible, type PaymentOpening } from './statement.ts';

export interface OpenedPayment {
  state: PaymentState;
  error: MissingHold | null;
  /** The request to the gateway; null unless the payment was just opened. */
  terms: ChargeTerms | null;
}

/** What the service allows. */
export interface HoldLimits {
  /** Payments of one payer at one tenant that hold something and are neither paid nor ended. */
  maxOpenHolds: number;
}

async function refuse(transaction: Transaction, order: OrderRow, error: MissingHold): Promise<OpenedPayment> {
  await setStatuses(transaction, order, transitions.created(), { nextAttempt: true });
  return { state: await readPayment(transaction, order.orderId), error, terms: null };
}

async function missing(transaction: Transaction, order: OrderRow, maxOpenHolds: number): Promise<MissingHold | null> {
  const code = missingPaymentGatewaySetting(order, await readPaymentGatewaySetting(transaction, order.tenantId));
  return code === null ? missingHold(transaction, order, maxOpenHolds) : { code };
}

/** Finds out why a payment could not be opened; null if by now it can. */
async function whyNotOpened(
  database: Database,
  { orderId, attempt }: PaymentOpening,
  { maxOpenHolds }: HoldLimits,
): Promise<OpenedPayment | null> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId);
    if (!order) throw new OrderGone(orderId);
    if (order.orderStatus !== orderStatus.CREATED || order.attempt !== attempt)
      return { state: await readPayment(transaction, orderId), error: null, terms: null };
    const error = await missing(transaction, order, maxOpenHolds);
    return error && refuse(transaction, order, error);
  });
}

/** How often opening is retried because the missing points or stock were available again when checked. */
const TRIES = 5;

async function openOrRefuse(
  database: Database,
  opening: PaymentOpening,
  limits: HoldLimits,
  open: () => Promise<Opened | null>,
): Promise<OpenedPayment> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const opened = await open();
    if (opened) return { ...opened, error: null };
    const refused = await whyNotOpened(database, opening, limits);
    if (refused) return refused;
  }
  throw new Error(`what order ${opening.orderId} needs comes and goes`);
}

/**
 * CREATED → PAYMENT_PENDING with points, stock and coupons held, or → DONE if nothing is payable. An order in another
 * state, or at another attempt, is left unchanged. An error holds nothing and increments the attempt, so that the
 * next pay is evaluated afresh.
 * @throws CommitUnknown, OrderGone
 */
export const openPayment = (database: Database, opening: PaymentOpening, limits: HoldLimits): Promise<OpenedPayment> =>
  openOrRefuse(database, opening, limits, () =>
    transact(database, async (transaction) => {
      await queueOpenHolds(transaction, opening.orderId);
      return openIfPossible(transaction, opening, limits.maxOpenHolds);
    }),
  );

/**
 * The same where nothing is payable, CREATED → DONE, in one statement that commits itself. Nothing stays held, so the limit
 * on what does is not asked for.
 * @throws CommitUnknown if it was refused; OrderGone; or what the database reports, after which the order may be done
 */
export function completeAtOnce(database: Database, opening: PaymentOpening): Promise<OpenedPayment> {
  const noneHeld = { maxOpenHolds: 0 };
  return openOrRefuse(database, opening, noneHeld, () => openIfPossible(database, opening, noneHeld.maxOpenHolds));
}
