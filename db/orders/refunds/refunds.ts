import { fn } from 'objection';
import { isAllBack } from '#domain/orders/lines.ts';
import { type Minor, nearestMinor } from '#domain/orders/money.ts';
import type { RefundStatus } from '#domain/orders/administration/refunds.ts';
import { orderStatus, paymentStatus, pointsStatus } from '#domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { bookRefundConfirmed, bookRefundDecided } from '../books/cash.ts';
import { returnHold } from '../holds.ts';
import { recordMerchantEvent } from '../merchant-events/events.ts';
import { Refund } from '../models/refunds.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

/** SQL: what was received for a completed order, less what was refunded or is to be. */
const unrefunded = `coalesce((select a.received_minor from customer_order o
     join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt
     where o.order_id = :orderId and o.order_status = ${orderStatus.DONE}), 0)
   - coalesce((select sum(r.amount_minor) from refund r where r.order_id = :orderId and r.kind = 'staff'), 0)::bigint`;

/** SQL: what of that stands in open disputes. */
const disputed = `coalesce((select sum(d.booked_minor) from dispute d
     where d.order_id = :orderId and d.status = 'open'), 0)::bigint`;

async function atLeastNothing(database: Database, sum: string, orderId: string): Promise<Minor> {
  const row = await firstRow<{ minor: number }>(database, `select greatest(0, ${sum}) as minor`, { orderId });
  return row?.minor ?? 0;
}

/** What staff can still refund of a completed order: received minus refunded, pending and disputed. */
export const refundableMinor = (database: Database, orderId: string): Promise<Minor> =>
  atLeastNothing(database, `${unrefunded} - ${disputed}`, orderId);

/** The same with what is disputed. */
export const unrefundedMinor = (database: Database, orderId: string): Promise<Minor> =>
  atLeastNothing(database, unrefunded, orderId);

export async function findRefund(database: Database, refundId: string): Promise<Refund | null> {
  return (await Refund.query(database).findById(refundId)) ?? null;
}

/** Stores what a charge of unaccepted money turned out to be worth; amount in units. */
export async function recordAmountOn(
  transaction: Transaction,
  refundId: string,
  { amount, currency }: { amount: number; currency: string },
): Promise<void> {
  const recorded = await Refund.query(transaction)
    .findById(refundId)
    .whereNull('amountMinor')
    .patch({ amountMinor: nearestMinor(amount), currency })
    .returning('*')
    .first();
  if (recorded) await bookRefundDecided(transaction, recorded);
}

/** The same in a transaction of its own. */
export async function recordAmount(
  database: Database,
  refundId: string,
  charge: { amount: number; currency: string },
): Promise<void> {
  await transact(database, (transaction) => recordAmountOn(transaction, refundId, charge));
}

/**
 * The payment status of a completed order after a refund by staff: pending while one is open, then refunded where all
 * that was received went back, partially refunded where less did, paid where nothing did but points or goods.
 */
async function showRefundOfDone(transaction: Transaction, orderId: string): Promise<void> {
  await transaction.raw(
    `update customer_order o set updated_at = now(), payment_status = case
         when exists (select 1 from refund r where r.order_id = o.order_id and r.kind = 'staff' and r.status <> 'confirmed')
           then ${paymentStatus.REFUND_PENDING}
         when not exists (select 1 from refund r
             where r.order_id = o.order_id and r.kind = 'staff' and r.amount_minor > 0) then ${paymentStatus.PAID}
         when a.received_minor > (select sum(r.amount_minor) from refund r
             where r.order_id = o.order_id and r.kind = 'staff') then ${paymentStatus.PARTIALLY_REFUNDED}
         else ${paymentStatus.REFUNDED} end
     from payment_attempt a
     where o.order_id = :orderId and o.order_status = ${orderStatus.DONE} and o.payment_status <> ${paymentStatus.NONE}
       and a.order_id = o.order_id and a.attempt = o.attempt`,
    { orderId },
  );
}

/** An order that ended unpaid: REFUND_PENDING → REFUNDED once no refund is open. */
async function showRefundOfEnded(transaction: Transaction, orderId: string): Promise<void> {
  await transaction.raw(
    `update customer_order o set payment_status = ${paymentStatus.REFUNDED}, updated_at = now()
     where order_id = :orderId and order_status <> ${orderStatus.DONE} and payment_status = ${paymentStatus.REFUND_PENDING}
       and not exists (select 1 from refund r where r.order_id = o.order_id and r.status <> 'confirmed')`,
    { orderId },
  );
}

/** What a confirmed refund changes about its order, in one transaction; the caller holds the order's lock. */
export async function applyRefund(transaction: Transaction, refund: Refund): Promise<void> {
  const { orderId } = refund;
  if (orderId === null) return;
  if (refund.kind === 'staff') await applyStaffRefund(transaction, refund, orderId);
  else await showRefundOfEnded(transaction, orderId);
  await recordMerchantEvent(transaction, orderId, 'refund.succeeded', refund);
}

async function applyStaffRefund(
  transaction: Transaction,
  { refundId, restorePoints, givenBack }: Refund,
  orderId: string,
): Promise<void> {
  const order = await lockOrder(transaction, orderId);
  if (!order) return;
  if (givenBack) await returnHold(transaction, order, { refundId, givenBack });
  await showRefundOfDone(transaction, orderId);
  const confirmed = await Refund.query(transaction).where({ orderId, kind: 'staff', status: 'confirmed' });
  if (restorePoints && isAllBack(order, confirmed))
    await transaction.raw(
      `update customer_order set points_status = ${pointsStatus.RETURNED}, updated_at = now() where order_id = :orderId`,
      { orderId },
    );
}

/** The gateway's id of a refund of ours, unless the gateway has told another one under it. */
export async function noteGatewayRefundId(
  transaction: Transaction,
  { refundId, chargeId }: Pick<Refund, 'refundId' | 'chargeId'>,
  gatewayRefundId: string | null,
): Promise<void> {
  if (gatewayRefundId === null) return;
  await transaction.raw(
    `update refund set gateway_refund_id = :gatewayRefundId
     where refund_id = :refundId and gateway_refund_id is null
       and not exists (select from refund r where r.charge_id = :chargeId and r.gateway_refund_id = :gatewayRefundId)`,
    { refundId, chargeId, gatewayRefundId },
  );
}

/** The money went back: applied once. The caller holds the order's lock. @param from the statuses in which it still counts. */
export async function confirmOn(
  transaction: Transaction,
  refundId: string,
  { from, ...more }: { from: RefundStatus[] } & Partial<Pick<Refund, 'resolution' | 'resolvedBy' | 'note'>>,
): Promise<boolean> {
  const confirmed = await Refund.query(transaction)
    .findById(refundId)
    .whereIn('status', from)
    .patch({ status: 'confirmed', confirmedAt: fn.now(), ...more })
    .returning('*')
    .first();
  if (!confirmed) return false;
  await bookRefundConfirmed(transaction, confirmed);
  await applyRefund(transaction, confirmed);
  return true;
}

/** What becomes of a refund under way for more than is left. */
export const cutToRest = { status: 'needs_staff', lastError: 'amount_too_large' } as const;

/** Refunds of a completed order by staff that are under way or wait for staff, in the order in which they were asked for. */
export async function openRefunds(transaction: Transaction, orderId: string | null): Promise<Refund[]> {
  return await Refund.query(transaction)
    .where({ orderId, kind: 'staff' })
    .whereNot({ status: 'confirmed' })
    .orderBy(['createdAt', 'refundId']);
}

/** Other refunds of the order that are under way are for so much less, and wait for staff. @returns by how much they are */
async function cutOthers(transaction: Transaction, { refundId, orderId }: Refund, byMinor: Minor): Promise<Minor> {
  let left = byMinor;
  for (const other of await openRefunds(transaction, orderId)) {
    if (other.refundId === refundId) continue;
    const cut = Math.min(left, other.amountMinor ?? 0);
    left -= cut;
    if (cut > 0)
      await Refund.query(transaction)
        .findById(other.refundId)
        .patch({ amountMinor: (other.amountMinor ?? 0) - cut, ...cutToRest });
  }
  return byMinor - left;
}

/**
 * A refund of ours that the gateway made for this amount while we cut it to less, because money moved at its desk: it
 * counts in full, and the cut is the others'. What was decided of all of them together stays. The caller holds the order's lock.
 */
export async function restoreCut(transaction: Transaction, refundId: string, madeMinor: Minor): Promise<void> {
  const refund = await Refund.query(transaction).findById(refundId);
  if (!refund || refund.status === 'confirmed' || refund.amountMinor === null) return;
  const cutMinor = madeMinor - refund.amountMinor;
  if (refund.kind !== 'staff' || cutMinor <= 0) return;
  const backMinor = await cutOthers(transaction, refund, cutMinor);
  await Refund.query(transaction)
    .findById(refundId)
    .patch({ amountMinor: refund.amountMinor + backMinor });
}

/** The gateway confirmed: applied once. @param gatewayRefundId null if it does not say. */
export async function confirmRefund(
  database: Database,
  refund: Refund,
  gatewayRefundId: string | null = null,
): Promise<boolean> {
  return transact(database, async (transaction) => {
    if (refund.orderId !== null) await lockOrder(transaction, refund.orderId);
    await noteGatewayRefundId(transaction, refund, gatewayRefundId);
    if (refund.amountMinor !== null) await restoreCut(transaction, refund.refundId, refund.amountMinor);
    return confirmOn(transaction, refund.refundId, { from: ['pending', 'needs_staff'] });
  });
}

/** Staff say that the money went back in another way. @returns false if the refund does not need staff. */
export async function confirmElsewhere(
  database: Database,
  refund: Refund,
  { by, note }: { by: string; note: string },
  onConfirmed: (transaction: Transaction) => Promise<void>,
): Promise<boolean> {
  return transact(database, async (transaction) => {
    if (refund.orderId !== null) await lockOrder(transaction, refund.orderId);
    const done = { from: ['needs_staff' as const], resolution: 'done_elsewhere' as const, resolvedBy: by, note };
    if (!(await confirmOn(transaction, refund.refundId, done))) return false;
    await onConfirmed(transaction);
    return true;
  });
}

/** SQL: what the gateway itself has refunded of the charge of the refund `r`; what was lost in disputes it shows apart. */
const byGateway = `r.status = 'confirmed' and r.resolution is distinct from 'done_elsewhere' and r.origin <> 'dispute'`;

/** What we know that the gateway has refunded of a charge. */
export async function refundedOfCharge(database: Database, chargeId: string): Promise<Minor> {
  const row = await firstRow<{ minor: number }>(
    database,
    `select coalesce(sum(r.amount_minor), 0)::bigint as minor from refund r where r.charge_id = :chargeId and ${byGateway}`,
    { chargeId },
  );
  return row?.minor ?? 0;
}

/** The gateway rejected the refund; it may repeat that for this key for ever, so the next request has a new one. */
export async function rejectRefundKey(database: Database, refund: Refund, error: string): Promise<void> {
  await database.raw(
    `update refund set key_number = key_number + 1, last_error = :error
     where refund_id = :refundId and key_number = :keyNumber and status = 'pending'`,
    { refundId: refund.refundId, keyNumber: refund.keyNumber, error },
  );
}

/** The gateway did not respond to a call about this refund, or with nothing that can be used. */
export async function noteRefundUnanswered(database: Database, refundId: string): Promise<void> {
  await database.raw(
    `update refund set unanswered_since = now()
     where refund_id = :refundId and status = 'pending' and unanswered_since is null`,
    { refundId },
  );
}

/** The gateway responds, and shows no money to give back. */
export async function noteUnpaid(database: Database, refundId: string): Promise<void> {
  await database.raw(
    `update refund set unpaid_since = coalesce(unpaid_since, now()), unanswered_since = null
     where refund_id = :refundId and status = 'pending' and (unpaid_since is null or unanswered_since is not null)`,
    { refundId },
  );
}

/** Repeating does not help: staff must decide. */
export async function leaveRefundToStaff(database: Database, refundId: string, error: string): Promise<void> {
  await Refund.query(database)
    .findById(refundId)
    .where({ status: 'pending' })
    .patch({ status: 'needs_staff', lastError: error });
}

/** Staff want the gateway to be asked again, for another 24 h. @returns false if the refund does not need staff. */
export async function retryRefund(
  database: Database,
  refund: Refund,
  { by, note }: { by: string; note: string },
  onRetried: (transaction: Transaction) => Promise<void>,
): Promise<boolean> {
  return transact(database, async (transaction) => {
    const retried = await firstRow(
      transaction,
      `update refund set status = 'pending', key_number = key_number + 1, asked_since = now(),
         drive_at = now() + interval '5 seconds', resolution = 'retry',
         resolved_by = :by, note = :note
       where refund_id = :refundId and status = 'needs_staff' returning 1`,
      { refundId: refund.refundId, by, note },
    );
    if (!retried) return false;
    await onRetried(transaction);
    return true;
  });
}
