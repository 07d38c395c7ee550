import { type RefundReport, refundReportSchema } from '#domain/orders/callback.ts';
import { CHARGE_PAID, CHARGE_REFUNDED } from '#domain/orders/event-types.ts';
import { toMinor } from '#domain/orders/money.ts';
import { ownRefundIds } from '#domain/orders/refund-keys.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { type EventStatus, GatewayEvent } from '../models/events.ts';
import { Refund } from '../models/refunds.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';
import { flagConflict, lockUnmatchedCharge } from './events.ts';
import { raiseFlagsOn } from './flags.ts';

/** What is known of the charge that a report is about. */
export interface KnownCharge {
  /** Null for money that fits no order. */
  orderId: string | null;
  /** Null where the shop is nobody's. */
  tenantId: string | null;
  orderNo: string;
  shopId: string;
  currency: string;
}

/** A charge of ours, otherwise one that was reported as paid, otherwise any other of the order with the number. */
const knownCharge = `select order_id, tenant_id, order_no, shop_id, currency from (
    select 1 as rank, o.order_id, o.tenant_id, o.order_no, a.shop_id, coalesce(a.received_currency, o.currency) as currency
    from payment_attempt a join customer_order o using (order_id) where a.charge_id = :chargeId
    union all
    select 2, e.order_id, coalesce(o.tenant_id, t.tenant_id), e.order_no, e.shop_id, e.currency
    from gateway_event e left join customer_order o using (order_id) left join tenant t on t.shop_id = e.shop_id
    where e.charge_id = :chargeId and e.type = '${CHARGE_PAID}'
    union all
    select 3, o.order_id, o.tenant_id, o.order_no, t.shop_id, o.currency
    from customer_order o join tenant t using (tenant_id) where o.order_no = :orderNo) known
  order by rank limit 1`;

/** Null if it is unknown. @param orderNo of its order, where the charge may not be known yet */
export const findKnownCharge = (
  transaction: Transaction,
  { chargeId, orderNo }: { chargeId: string; orderNo: string | null },
): Promise<KnownCharge | null> => firstRow<KnownCharge>(transaction, knownCharge, { chargeId, orderNo });

type SaidOfCharge = Pick<RefundReport, 'orderNo' | 'shopId' | 'currency'>;

/** Whatever the report says of the charge is as we know it. */
export function agreesOn(said: SaidOfCharge, known: KnownCharge): boolean {
  const named = [
    [said.orderNo, known.orderNo],
    [said.shopId, known.shopId],
    [said.currency, known.currency],
  ] as const;
  return named.every(([theirs, ours]) => theirs === null || theirs === undefined || theirs === ours);
}

/** Another currency than the charge's is for staff to look at, at the order as well. */
export async function flagCurrency(
  transaction: Transaction,
  { currency }: SaidOfCharge,
  known: KnownCharge,
): Promise<void> {
  if (known.orderId === null || currency === null || currency === undefined || currency === known.currency) return;
  const flag = { code: 'currency_mismatch', expected: known.currency, reported: currency } as const;
  await raiseFlagsOn(transaction, known.orderId, [flag]);
}

/** A refund of ours, whatever differed from what was agreed about its charge: staff have decided about that. */
async function isEcho(transaction: Transaction, { chargeId, idempotencyKey }: RefundReport): Promise<boolean> {
  const own = await Refund.query(transaction)
    .where({ chargeId })
    .whereIn('refundId', ownRefundIds(idempotencyKey ?? null))
    .first();
  return own !== undefined;
}

/** What a recorded report requires: if it is `stored`, that it is booked. */
export interface RecordedReport {
  status: EventStatus;
  orderId: string | null;
  /** Null only where there is nothing to book. */
  tenantId: string | null;
}

/**
 * Records that the gateway reports a refund, once per event id. Nothing is booked yet: the charge is read first. What is not
 * about a charge that we know, or contradicts what we know, is for staff to look at.
 */
export async function recordRefundReport(
  database: Database,
  report: RefundReport,
  body: string,
): Promise<RecordedReport> {
  const { eventId, chargeId, amount } = report;
  return transact(database, async (transaction) => {
    const known = await findKnownCharge(transaction, { chargeId, orderNo: report.orderNo ?? null });
    if (known?.orderId) await lockOrder(transaction, known.orderId);
    const event = {
      eventId,
      type: CHARGE_REFUNDED,
      chargeId,
      amount,
      orderNo: report.orderNo ?? known?.orderNo ?? '',
      shopId: report.shopId ?? known?.shopId ?? '',
      currency: report.currency ?? known?.currency ?? '',
    };
    const before = await GatewayEvent.query(transaction).findById(eventId);
    if (before) {
      await flagConflict(transaction, before, event);
      return { status: before.status, orderId: before.orderId, tenantId: known?.tenantId ?? null };
    }
    const isWhole = known !== null && agreesOn(report, known) && toMinor(amount) > 0;
    const fits = known && known.tenantId !== null && (isWhole || (await isEcho(transaction, report)));
    const status = fits ? 'stored' : 'unmatched';
    if (known && !fits) await flagCurrency(transaction, report, known);
    await GatewayEvent.query(transaction)
      .insert({ ...event, body, orderId: known?.orderId ?? null, status })
      .onConflict('eventId')
      .ignore();
    return { status, orderId: known?.orderId ?? null, tenantId: known?.tenantId ?? null };
  });
}

/** A recorded report. */
export interface StoredReport<Report = RefundReport> {
  report: Report;
  orderId: string | null;
  status: EventStatus;
  receivedAt: Date;
}

const storedReport = (event: GatewayEvent): StoredReport => {
  const { orderId, status, receivedAt } = event;
  return { report: refundReportSchema.parse(JSON.parse(event.body)), orderId, status, receivedAt };
};

/** Null if there is none. */
export async function findRefundReport(database: Database, eventId: string): Promise<StoredReport | null> {
  const event = await GatewayEvent.query(database).findById(eventId).where({ type: CHARGE_REFUNDED });
  return event ? storedReport(event) : null;
}

/** The same, once nothing else can act on it or on its order. */
export async function lockRefundReport(transaction: Transaction, { report, orderId }: StoredReport) {
  const order = orderId === null ? null : await lockOrder(transaction, orderId);
  if (order === null) await lockUnmatchedCharge(transaction, report.chargeId);
  const event = await GatewayEvent.query(transaction).findById(report.eventId).throwIfNotFound();
  return { order, isOpen: event.status === 'stored' };
}

/** Nothing is left to do about it, or (`unmatched`) nothing but what staff do. */
export async function closeReport(
  database: Database,
  { eventId }: Pick<RefundReport, 'eventId'>,
  status: 'settled' | 'unmatched',
): Promise<void> {
  await GatewayEvent.query(database).findById(eventId).where({ status: 'stored' }).patch({ status });
}

/** A report whose workflow may have been lost. */
export interface DueReport {
  eventId: string;
  orderId: string | null;
  tenantId: string;
}

/** Reports that nobody has acted on for so long that their workflow may have been lost. `now` is the caller's clock. */
export async function reportsToDrive(database: Database, now: Date, limit: number): Promise<DueReport[]> {
  return rows(
    database,
    `select e.event_id, e.order_id, coalesce(o.tenant_id, t.tenant_id) as tenant_id
     from gateway_event e left join customer_order o using (order_id) left join tenant t on t.shop_id = e.shop_id
     where e.status = 'stored'
       and (e.type = '${CHARGE_REFUNDED}' or (e.dispute_id is not null and e.order_id is not null))
       and e.received_at < cast(:now as timestamptz) - interval '30 seconds'
       and coalesce(o.tenant_id, t.tenant_id) is not null
     order by e.received_at limit :limit`,
    { now, limit },
  );
}
