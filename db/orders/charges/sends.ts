import type { TraceParent } from '#domain/tracing.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { type Database, firstRow } from '#db/database.ts';
import { firstPrepared, type Prepared } from '#db/prepared.ts';
import { refundOtherCharges } from '../events/events.ts';
import { PaymentAttempt } from '../models/payments.ts';
import { lockOrder, readPayment } from '../payments.ts';
import { transact } from '../transaction.ts';

/** The request to the gateway, identical for every retry. */
export interface ChargeTerms {
  orderNo: string;
  shopId: string;
  /** In units. */
  amount: number;
  currency: string;
  description: string;
  resultUrl: string | null;
  cancelUrl: string | null;
  expiresAt: Date;
  /** How often it has been sent, including this time. */
  sends: number;
}

type TermsRow = Omit<ChargeTerms, 'amount' | 'description'> & { totalMinor: number; title: string | null };

/**
 * Counts a send before it happens, so that a crash afterwards is not taken for "never sent".
 * @returns null if the attempt already has its charge, or no longer holds anything.
 */
export async function beginChargeSend(database: Database, ref: PaymentRef): Promise<ChargeTerms | null> {
  const row = await firstRow<TermsRow>(
    database,
    `update payment_attempt a set charge_sends = charge_sends + 1 from customer_order o
     where a.order_id = :orderId and a.attempt = :attempt and a.charge_id is null and a.hold_status = 'reserved'
       and o.order_id = a.order_id and o.attempt = a.attempt and o.order_status = ${orderStatus.PAYMENT_PENDING}
     returning o.order_no, a.shop_id, o.currency, o.total_minor, o.title,
       a.result_url, a.cancel_url, a.expires_at, a.charge_sends as sends`,
    { ...ref },
  );
  if (!row) return null;
  const { totalMinor, title, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor), description: title ?? terms.orderNo };
}

/** The order's lock puts it before or after any callback: either is seen by the other. */
const storeCharge: Prepared = {
  name: 'store-charge',
  sql: `with o as materialized (
      select order_id, exists (select 1 from gateway_event e where e.order_id = c.order_id and e.status = 'stored') as events
      from customer_order c where order_id = :orderId for update of c)
    update payment_attempt a set charge_id = :chargeId, payment_url = :paymentUrl, unanswered_since = null,
      next_read_at = case when a.hold_status = 'released' then now() end
    from o where a.order_id = o.order_id and a.attempt = :attempt and a.charge_id is null and not o.events
    returning 1`,
};

/** The same where callbacks came first: the money for any other charge goes back. */
async function storeBesideEvents(
  database: Database,
  ref: PaymentRef,
  charge: { chargeId: string; paymentUrl: string },
): Promise<PaymentState> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, ref.orderId);
    await transaction.raw(
      `update payment_attempt set charge_id = :chargeId, payment_url = :paymentUrl, unanswered_since = null,
         next_read_at = case when hold_status = 'released' then now() end
       where order_id = :orderId and attempt = :attempt and charge_id is null`,
      { ...ref, ...charge },
    );
    if (order?.attempt === ref.attempt) await refundOtherCharges(transaction, order, charge.chargeId);
    return readPayment(transaction, ref.orderId);
  });
}

/**
 * Stores the charge that the gateway created for this attempt. If the payment has ended meanwhile, the charge is left
 * to the reads after the end, which cancel it or give its money back.
 */
export async function recordCharge(
  database: Database,
  ref: PaymentRef,
  charge: { chargeId: string; paymentUrl: string },
): Promise<PaymentState> {
  if (await firstPrepared(database, storeCharge, { ...ref, ...charge })) {
    const state = await readPayment(database, ref.orderId);
    // Unless a callback came while the order's lock was waited for, there is nothing that the charge could decide.
    if (!state.paidEvent) return state;
  }
  return storeBesideEvents(database, ref, charge);
}

/** The agreed terms of a charge; amount in units. */
export interface ChargedTerms {
  chargeId: string;
  amount: number;
  currency: string;
  shopId: string;
}

/** The agreed terms of an attempt's charge; null if it has none. */
export async function chargedTerms(database: Database, ref: PaymentRef): Promise<ChargedTerms | null> {
  const row = await PaymentAttempt.query(database)
    .findById([ref.orderId, ref.attempt])
    .whereNotNull('chargeId')
    .joinRelated('order')
    .select('chargeId', 'order.totalMinor', 'order.currency', 'payment_attempt.shopId')
    .castTo<{ chargeId: string; totalMinor: number; currency: string; shopId: string } | undefined>();
  if (!row) return null;
  const { totalMinor, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor) };
}

/** Notes where the send of a charge belongs in a trace, for the callback. */
export async function noteTraceOfSend(
  database: Database,
  { orderId, attempt }: PaymentRef,
  traceParent: TraceParent,
): Promise<void> {
  await PaymentAttempt.query(database).findById([orderId, attempt]).patch({ traceParent });
}

/** Where the send of a charge belongs; null without traces, or if it is none of ours. */
export async function traceOfCharge(database: Database, chargeId: string): Promise<TraceParent | null> {
  const found = await PaymentAttempt.query(database).findOne({ chargeId }).select('traceParent');
  return found?.traceParent ?? null;
}
