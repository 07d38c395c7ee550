import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { faultOfPieces, givenBackBy, isAllBack, moneyOf, type Return } from '#domain/orders/lines.ts';
import { type Minor, toMinor } from '#domain/orders/money.ts';
import type { RefundOrder } from '#domain/orders/administration/refunds.ts';
import { orderStatus, paymentStatus } from '#domain/orders/states.ts';
import type { Database, Transaction } from '#db/database.ts';
import { bookRefundDecided } from '../books/cash.ts';
import { PaymentAttempt } from '../models/payments.ts';
import { askForApproval, awaitsApproval, lapseBeyond, lapseLines, type Staff } from '../approvals/approvals.ts';
import { Approval } from '../models/approvals.ts';
import { Refund, type RefundWish } from '../models/refunds.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder, setStatuses } from '../payments.ts';
import { transact } from '../transaction.ts';
import { applyRefund, refundableMinor } from './refunds.ts';

/** Result of a refund request; codes as in the contract. */
export type RefundRequest =
  | { kind: 'accepted'; refund: Refund }
  /** Nothing is refunded unless another member of staff approves. */
  | { kind: 'waits'; approval: Approval }
  | { kind: 'rejected'; code: 90202 | 90205 }
  /** `path` is a JSON pointer such as `/amount`. */
  | { kind: 'malformed'; path: string; message: string };

const malformed = (path: string, message: string): RefundRequest => ({ kind: 'malformed', path, message });

/** What is asked for, before anybody knows what is left. */
interface Wanted extends Return {
  /** Null: what is left, or what the lines are worth. */
  amountMinor: Minor | null;
}

/** The requested refund, once the remainder is known. */
interface Asked extends Return {
  amountMinor: Minor;
  /** What can be refunded before this request. */
  leftMinor: Minor;
  /** Refunds of the order, those under way included: what they give back goes back once. */
  earlier: Refund[];
}

/** Why it cannot be granted; null if it can. */
function fault(order: OrderRow, asked: Asked): RefundRequest | null {
  const { amountMinor, leftMinor, lines, restorePoints, restock, earlier } = asked;
  const whole = earlier.filter((refund) => refund.lines === null);
  if (restorePoints && whole.some((refund) => refund.restorePoints))
    return malformed('/restorePoints', 'was asked for before');
  if (restock && whole.some((refund) => refund.restock)) return malformed('/restock', 'was asked for before');
  if (lines === null) return faultOfAmount(order, asked);
  const found = faultOfPieces(order, { lines, restorePoints, restock }, earlier);
  if (found) return malformed(found.path, found.message);
  return amountMinor > leftMinor ? malformed('/lines', 'are worth more than what can still be refunded') : null;
}

function faultOfAmount(order: OrderRow, asked: Asked): RefundRequest | null {
  const { amountMinor, leftMinor, restorePoints, restock, earlier } = asked;
  if (Number.isNaN(amountMinor) || amountMinor > leftMinor)
    return malformed('/amount', 'is more than what can still be refunded');
  if (amountMinor < leftMinor && restorePoints)
    return malformed('/restorePoints', 'is possible only where all is refunded');
  if (amountMinor < leftMinor && restock) return malformed('/restock', 'is possible only where all is refunded');
  if (amountMinor > 0) return null;
  if (!restorePoints) return malformed('/amount', 'nothing is left to refund');
  return isAllBack(order, earlier) ? malformed('/restorePoints', 'all points are back') : null;
}

/** What is asked for, with what it is worth; the caller holds the order's lock. */
async function ask(transaction: Transaction, order: OrderRow, wanted: Wanted): Promise<Asked> {
  const { orderId } = order;
  const { amountMinor, lines, restorePoints, restock } = wanted;
  const leftMinor = await refundableMinor(transaction, orderId);
  const earlier = await Refund.query(transaction).where({ orderId, kind: 'staff' });
  const worth = lines && moneyOf(order, lines, earlier);
  return { lines, restorePoints, restock, leftMinor, earlier, amountMinor: worth ?? amountMinor ?? leftMinor };
}

const wantedOf = ({ amount, lines, restorePoints, restock }: RefundOrder): Wanted => ({
  amountMinor: amount === null || amount === undefined ? null : toMinor(amount),
  lines: lines ?? null,
  restorePoints: restorePoints ?? false,
  restock: restock ?? false,
});

/** The same lines in another order are the same request. */
const wishOf = ({ amount, lines, reason, restorePoints, restock }: RefundOrder): RefundWish => ({
  amount: amount ?? null,
  lines: lines?.toSorted((one, other) => (one.lineId < other.lineId ? -1 : 1)) ?? null,
  reason,
  restorePoints: restorePoints ?? null,
  restock: restock ?? null,
});

/** A refund by staff that is possible. */
interface Grant {
  wish: RefundWish;
  key: string;
  requestedBy: string;
  /** Null if no approval was needed. */
  approvedBy: string | null;
  asked: Asked;
}

async function insert(
  transaction: Transaction,
  order: OrderRow,
  { wish, key, requestedBy, approvedBy, asked }: Grant,
): Promise<Refund> {
  const attempt = await PaymentAttempt.query(transaction).findById([order.orderId, order.attempt]);
  return Refund.query(transaction)
    .insert({
      refundId: uuidv7(),
      kind: 'staff',
      tenantId: order.tenantId,
      orderId: order.orderId,
      chargeId: asked.amountMinor > 0 ? (attempt?.chargeId ?? null) : null,
      amountMinor: asked.amountMinor,
      currency: attempt?.receivedCurrency ?? order.currency,
      // Without money the gateway is not involved.
      status: asked.amountMinor > 0 ? 'pending' : 'confirmed',
      ...(asked.amountMinor > 0 ? {} : { confirmedAt: new Date() }),
      reason: wish.reason,
      requestedBy,
      approvedBy,
      requestKey: key,
      request: wish,
      restorePoints: asked.restorePoints,
      restock: asked.restock,
      lines: asked.lines && [...asked.lines],
      givenBack: givenBackBy(order, asked, asked.earlier),
    })
    .returning('*');
}

async function grant(transaction: Transaction, order: OrderRow, granted: Grant): Promise<Refund> {
  const refund = await insert(transaction, order, granted);
  if (refund.status === 'confirmed') await applyRefund(transaction, refund);
  else await setStatuses(transaction, order, { ...statusesOf(order), paymentStatus: paymentStatus.REFUND_PENDING });
  await bookRefundDecided(transaction, refund);
  const { asked } = granted;
  await lapseBeyond(transaction, order.orderId, asked.leftMinor - asked.amountMinor);
  if (asked.lines)
    await lapseLines(transaction, order.orderId, (lines, { restorePoints, restock }) => {
      const refunds = [...asked.earlier, refund];
      return faultOfPieces(order, { lines, restorePoints, restock }, refunds) !== null;
    });
  return refund;
}

/** The earlier result for this key; null if it is new. */
async function earlierRequest(
  transaction: Transaction,
  orderId: string,
  body: RefundOrder,
): Promise<RefundRequest | null> {
  const refund = await Refund.query(transaction).findOne({ orderId, requestKey: body.key });
  const approval = await Approval.query(transaction).findOne({ orderId, requestKey: body.key });
  const earlier = refund ?? approval;
  if (!earlier) return null;
  if (!isDeepStrictEqual(earlier.request, wishOf(body))) return { kind: 'rejected', code: 90205 };
  if (refund) return { kind: 'accepted', refund };
  return approval ? { kind: 'waits', approval } : null;
}

async function waitFor(
  transaction: Transaction,
  order: OrderRow,
  { body, by, asked, currency }: { body: RefundOrder; by: Staff; asked: Asked; currency: string },
): Promise<RefundRequest> {
  const { orderId, tenantId } = order;
  const { amountMinor, restorePoints, restock } = asked;
  const approval = await askForApproval(
    transaction,
    {
      kind: 'order_refund',
      tenantId,
      orderId,
      amountMinor,
      currency,
      reason: body.reason,
      restorePoints,
      restock,
      request: wishOf(body),
      requestKey: body.key,
    },
    by,
  );
  if (!approval) throw new Error(`a refund of order ${orderId} could not be asked for`);
  return { kind: 'waits', approval };
}

async function currencyOf(transaction: Transaction, { orderId, attempt, currency }: OrderRow): Promise<string> {
  const paid = await PaymentAttempt.query(transaction).findById([orderId, attempt]);
  return paid?.receivedCurrency ?? currency;
}

/**
 * Decides on a refund of a DONE order, once per key; the order's row lock keeps several together within what was
 * received. Without money (points only) it is applied at once; above the tenant's limit it waits for an approval.
 * @param onDecided runs in the same transaction, only if this call decided it.
 */
export async function requestRefund(
  database: Database,
  { orderId, body, by }: { orderId: string; body: RefundOrder; by: Staff },
  onDecided: (transaction: Transaction, decided: RefundRequest) => Promise<void>,
): Promise<RefundRequest> {
  return transact(database, async (transaction): Promise<RefundRequest> => {
    const order = await lockOrder(transaction, orderId);
    const earlier = await earlierRequest(transaction, orderId, body);
    if (earlier) return earlier;
    if (order?.orderStatus !== orderStatus.DONE) return { kind: 'rejected', code: 90202 };
    const asked = await ask(transaction, order, wantedOf(body));
    const found = fault(order, asked);
    if (found) return found;
    const currency = await currencyOf(transaction, order);
    const { tenantId } = order;
    const waits = await awaitsApproval(transaction, { tenantId, orderId, amountMinor: asked.amountMinor, currency });
    const alone = { wish: wishOf(body), key: body.key, requestedBy: by.userId, approvedBy: null, asked };
    const decided: RefundRequest = waits
      ? await waitFor(transaction, order, { body, by, asked, currency })
      : { kind: 'accepted', refund: await grant(transaction, order, alone) };
    await onDecided(transaction, decided);
    return decided;
  });
}

/** Decides on the refund that was asked for, now that somebody else approves. @returns null if it is not possible any more. */
export async function grantApproved(
  transaction: Transaction,
  order: OrderRow,
  { approval, approvedBy }: { approval: Approval; approvedBy: string },
): Promise<Refund | null> {
  const { request: wish, requestKey: key, requestedBy, amountMinor, restorePoints, restock } = approval;
  if (order.orderStatus !== orderStatus.DONE || wish === null || key === null) return null;
  // Pieces are worth what they are now: a unit may have moved to one that was refunded before.
  const asked = await ask(transaction, order, { amountMinor, lines: wish.lines, restorePoints, restock });
  if (fault(order, asked)) return null;
  return grant(transaction, order, { wish, key, requestedBy, approvedBy, asked });
}

const statusesOf = ({ orderStatus: order, pointsStatus: points, paymentStatus: payment }: OrderRow) => ({
  orderStatus: order,
  pointsStatus: points,
  paymentStatus: payment,
});
