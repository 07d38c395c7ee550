import {
  type DisputeClosed,
  type DisputeOpened,
  type DisputeReport,
  disputeReportSchema,
} from '#domain/orders/callback.ts';
import { CHARGE_DISPUTED, DISPUTE_CLOSED } from '#domain/orders/event-types.ts';
import { toMinor } from '#domain/orders/money.ts';
import type { Database, Transaction } from '#db/database.ts';
import { flagConflict } from '../events/events.ts';
import {
  agreesOn,
  findKnownCharge,
  flagCurrency,
  type KnownCharge,
  type RecordedReport,
  type StoredReport,
} from '../events/refund-reports.ts';
import { Dispute } from '../models/disputes.ts';
import { type EventStatus, GatewayEvent } from '../models/events.ts';
import { lockOrder } from '../payments.ts';
import { lockName, transact } from '../transaction.ts';

/** Whatever is reported about one dispute waits for each other here, before its order. */
export const lockDispute = (transaction: Transaction, disputeId: string): Promise<void> =>
  lockName(transaction, ['dispute', disputeId]);

type NamedCharge = KnownCharge & { chargeId: string };

const parsed = ({ body }: GatewayEvent): DisputeReport => disputeReportSchema.parse(JSON.parse(body));

/** The report by which a dispute is or will be closed: the first that is not for staff to look at. Null if there is none. */
export async function findClosure(
  transaction: Transaction,
  disputeId: string,
): Promise<StoredReport<DisputeClosed> | null> {
  const event = await GatewayEvent.query(transaction)
    .where({ disputeId, type: DISPUTE_CLOSED })
    .whereIn('status', ['stored', 'settled'])
    .orderBy(['receivedAt', 'eventId'])
    .first();
  if (!event) return null;
  const report = parsed(event);
  if (report.type !== DISPUTE_CLOSED) return null;
  const { orderId, status, receivedAt } = event;
  return { report, orderId, status, receivedAt };
}

/** Whether the dispute is the one that is reported. */
export const isSame = (dispute: Dispute, { chargeId, amount }: DisputeOpened): boolean =>
  dispute.chargeId === chargeId && dispute.amountMinor === toMinor(amount);

/** What is known of the charge of a report: that of its dispute, where it names none. Null if it is unknown. */
async function chargeOf(transaction: Transaction, report: DisputeReport): Promise<NamedCharge | null> {
  const chargeId =
    report.type === CHARGE_DISPUTED
      ? report.chargeId
      : (await Dispute.query(transaction).findById(report.disputeId))?.chargeId;
  if (chargeId === undefined) return null;
  const known = await findKnownCharge(transaction, { chargeId, orderNo: null });
  return known && { ...known, chargeId };
}

async function judgeOpened(
  transaction: Transaction,
  report: DisputeOpened,
  known: KnownCharge | null,
): Promise<EventStatus> {
  if (!known || known.orderId === null || !agreesOn(report, known) || !(toMinor(report.amount) > 0)) return 'unmatched';
  const before = await Dispute.query(transaction).findById(report.disputeId);
  if (!before) return 'stored';
  return isSame(before, report) ? 'settled' : 'unmatched';
}

async function judgeClosed(
  transaction: Transaction,
  report: DisputeClosed,
  known: KnownCharge | null,
): Promise<EventStatus> {
  if (known && !agreesOn(report, known)) return 'unmatched';
  const first = await findClosure(transaction, report.disputeId);
  if (!first) return 'stored';
  return first.report.outcome === report.outcome ? 'settled' : 'unmatched';
}

/** What the row of a report says of its charge. */
function contentOf(report: DisputeReport, known: NamedCharge | null) {
  const isOpening = report.type === CHARGE_DISPUTED;
  return {
    chargeId: known?.chargeId ?? (isOpening ? report.chargeId : ''),
    amount: isOpening ? report.amount : 0,
    orderNo: report.orderNo ?? known?.orderNo ?? '',
    shopId: report.shopId ?? known?.shopId ?? '',
    currency: report.currency ?? known?.currency ?? '',
  };
}

/**
 * The dispute of an end that was kept is known now.
 * @returns whether the end is about the same charge; otherwise it is for staff to look at.
 */
export async function matchClosure(
  transaction: Transaction,
  closure: StoredReport<DisputeClosed>,
  chargeId: string,
): Promise<boolean> {
  const { report } = closure;
  const known = await findKnownCharge(transaction, { chargeId, orderNo: null });
  if (!known) return false;
  const fits = agreesOn(report, known);
  await GatewayEvent.query(transaction)
    .findById(report.eventId)
    .patch({
      ...contentOf(report, { ...known, chargeId }),
      orderId: known.orderId,
      status: fits ? 'settled' : 'unmatched',
    });
  return fits;
}

/**
 * Records that the gateway reports a dispute, or the end of one, once per event id. Nothing is booked yet: the charge is read
 * first. The end of a dispute that nobody has told of yet is kept until somebody does.
 */
export async function recordDisputeReport(
  database: Database,
  report: DisputeReport,
  body: string,
): Promise<RecordedReport> {
  const { eventId, type, disputeId } = report;
  return transact(database, async (transaction) => {
    await lockDispute(transaction, disputeId);
    const known = await chargeOf(transaction, report);
    if (known?.orderId) await lockOrder(transaction, known.orderId);
    const orderId = known?.orderId ?? null;
    const tenantId = orderId === null ? null : (known?.tenantId ?? null);
    const event = { eventId, type, ...contentOf(report, known) };
    const before = await GatewayEvent.query(transaction).findById(eventId);
    if (before) {
      await flagConflict(transaction, before, event);
      return { status: before.status, orderId: before.orderId, tenantId };
    }
    const status =
      report.type === CHARGE_DISPUTED
        ? await judgeOpened(transaction, report, known)
        : await judgeClosed(transaction, report, known);
    if (known && status === 'unmatched') await flagCurrency(transaction, report, known);
    await GatewayEvent.query(transaction)
      .insert({ ...event, disputeId, body, orderId, status })
      .onConflict('eventId')
      .ignore();
    return { status, orderId, tenantId };
  });
}

/** Null if there is none. */
export async function findDisputeReport(
  database: Database,
  eventId: string,
): Promise<StoredReport<DisputeReport> | null> {
  const event = await GatewayEvent.query(database).findById(eventId).whereNotNull('disputeId');
  if (!event) return null;
  const { orderId, status, receivedAt } = event;
  return { report: parsed(event), orderId, status, receivedAt };
}
