import { type ChargeStatus, wasPaid } from '#domain/orders/charge-comparison.ts';
import { nearestMinor } from '#domain/orders/money.ts';
import type { PaymentRef } from '#domain/orders/payment.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { type Database, rows } from '#db/database.ts';
import { decideRefund } from '../refunds/decide.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

/** What the gateway's own record of a charge says. */
export interface ChargeRead {
  status: ChargeStatus;
  /** In units. */
  amount: number;
  currency: string;
  /** ISO 8601; null if the gateway does not say. */
  paidAt: string | null;
}

/** A completed order keeps its amount: reconciliation finds a different one later. */
const accepted = `(hold_status = 'committed' and received_minor is not null)`;

/** Stores that a charge was read, and the money that the gateway shows for it. */
export async function recordRead(database: Database, ref: PaymentRef, charge: ChargeRead): Promise<void> {
  const paidAt = new Date(charge.paidAt ?? Number.NaN);
  await database.raw(
    `update payment_attempt set read_at = now(), unanswered_since = null ${
      wasPaid(charge)
        ? `, received_minor = case when ${accepted} then received_minor else :minor end,
           received_currency = case when ${accepted} then received_currency else :currency end,
           received_at = coalesce(received_at, cast(:paidAt as timestamptz), now())`
        : ''
    } where order_id = :orderId and attempt = :attempt`,
    {
      ...ref,
      // Where that is not the amount itself, the order is flagged.
      minor: nearestMinor(charge.amount),
      currency: charge.currency,
      paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
    },
  );
}

/** The gateway did not respond to a call about this attempt, or with nothing that can be used. */
export async function noteUnanswered(database: Database, ref: PaymentRef): Promise<void> {
  await database.raw(
    `update payment_attempt set unanswered_since = now()
     where order_id = :orderId and attempt = :attempt and hold_status = 'reserved' and unanswered_since is null`,
    { ...ref },
  );
}

/** A charge whose payment has ended. */
export interface EndedCharge extends PaymentRef {
  chargeId: string;
  tenantId: string;
}

/** The charges of ended payments that are due to be read again, the longest due first. `now` is the caller's clock. */
export async function endedChargesToRead(database: Database, now: Date, limit: number): Promise<EndedCharge[]> {
  return rows(
    database,
    `select a.order_id, a.attempt, a.charge_id, o.tenant_id
     from payment_attempt a join customer_order o using (order_id)
     where a.next_read_at <= cast(:now as timestamptz) order by a.next_read_at limit :limit`,
    { now, limit },
  );
}

/** The charge was read: it is read once more 1 minute, 1 hour and 24 hours after the end of its payment. */
export async function planNextRead(database: Database, ref: PaymentRef): Promise<void> {
  await database.raw(
    `update payment_attempt set read_due_at = null, next_read_at = (
       select min(ended_at + after) from unnest(array[interval '1 minute', interval '1 hour', interval '24 hours']) after
       where ended_at + after > now())
     where order_id = :orderId and attempt = :attempt`,
    { ...ref },
  );
}

/**
 * The charge could not be read: again in a minute, ever less often up to 10 minutes, however long the gateway is away.
 * It stays due since the first failure.
 */
export async function postponeRead(database: Database, ref: PaymentRef): Promise<void> {
  await database.raw(
    `update payment_attempt set read_due_at = coalesce(read_due_at, next_read_at),
       next_read_at = now() + greatest(interval '1 minute',
         least(interval '10 minutes', (now() - coalesce(read_due_at, now())) / 4))
     where order_id = :orderId and attempt = :attempt and next_read_at is not null`,
    { ...ref },
  );
}

/** Refunds the money that came for an ended payment after all. @returns whether that was still to be decided. */
export async function refundLateMoney(database: Database, charge: EndedCharge): Promise<boolean> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, charge.orderId);
    if (!order) return false;
    await transaction.raw(
      `update payment_attempt set next_read_at = null, read_due_at = null where order_id = :orderId and attempt = :attempt`,
      { orderId: charge.orderId, attempt: charge.attempt },
    );
    const accepted = order.orderStatus === orderStatus.DONE && order.attempt === charge.attempt;
    return !accepted && (await decideRefund(transaction, order, charge.chargeId));
  });
}
