import type { Approval } from '#db/orders/models/approvals.ts';
import type { GatewayEvent } from '#db/orders/models/events.ts';
import type { OrderRow } from '#db/orders/orders.ts';
import type { OrderDetails } from '#db/orders/staff.ts';
import { presentInvoice } from '#domain/orders/invoice.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { OrderStanding } from '#domain/orders/standing.ts';
import type { CallbackEvent, OrderStandingData, StaffOrderData } from '#domain/orders/responses.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { presentApproval } from './approval.ts';
import { presentDispute } from './dispute.ts';
import { presentOrder, presentReceived } from './order.ts';
import { presentRefund } from './refund.ts';

/** The contact that an order is for; null if the shop named none. */
const presentContact = ({ contactServiceNumberId: serviceNumberId, contactId }: OrderRow): StaffOrderData['contact'] =>
  serviceNumberId === null || contactId === null ? null : { serviceNumberId, contactId };

/** An order as staff see it in lists. */
export function presentStaffOrder(order: OrderRow) {
  return {
    ...presentOrder(order),
    userId: order.userId,
    payerName: order.payerName,
    createdBy: order.createdBy,
    contact: presentContact(order),
    flags: order.flags,
    needsStaff: order.needsStaff,
    workflowId: payOrderWorkflowId(order.orderId),
  };
}

export function presentCallback(event: GatewayEvent, approval?: Approval): CallbackEvent {
  const { eventId, type, chargeId, orderNo, shopId, amount, currency, status, receivedAt, body } = event;
  const at = receivedAt.toISOString();
  const { resolution, resolvedBy, note } = event;
  const what = { eventId, type, chargeId, orderNo, shopId, amount, currency };
  return {
    ...what,
    status,
    receivedAt: at,
    body,
    resolution,
    resolvedBy,
    note,
    approval: approval ? presentApproval(approval) : null,
  };
}

type Presented<Name extends keyof StaffOrderData> = Pick<StaffOrderData, Name>;

/** The order's status history, attempts and flags. */
function presentHistory(
  { currency }: OrderRow,
  { history, attempts, flags }: OrderDetails,
): Presented<'history' | 'attempts' | 'flagDetails'> {
  return {
    history: history.map(({ orderStatus, pointsStatus, paymentStatus, attempt, at }) => ({
      orderStatus,
      pointsStatus,
      paymentStatus,
      attempt,
      at: at.toISOString(),
    })),
    attempts: attempts.map((row) => ({
      attempt: row.attempt,
      startedAt: row.createdAt.toISOString(),
      holdStatus: row.holdStatus,
      expiresAt: row.expiresAt.toISOString(),
      shopId: row.shopId,
      currency,
      chargeId: row.chargeId,
      chargeSends: row.chargeSends,
      cancelRequested: row.cancelRequested,
      readAt: row.readAt?.toISOString() ?? null,
      received: presentReceived(row),
    })),
    flagDetails: flags.map(({ code, expected, reported, raisedAt, resolution, resolvedBy, resolvedAt }) => ({
      code,
      expected,
      reported,
      raisedAt: raisedAt.toISOString(),
      resolution,
      resolvedBy,
      resolvedAt: resolvedAt?.toISOString() ?? null,
    })),
  };
}

const presentNotes = ({ notes }: OrderDetails): StaffOrderData['notes'] =>
  notes.map(({ noteId, author, authorName, body, createdAt }) => ({
    noteId,
    author,
    authorName,
    text: body,
    at: createdAt.toISOString(),
  }));

/** Money that was moved, and what the gateway reported. */
function presentMoney(
  { userId: payer }: OrderRow,
  { ledger, cash, events, refunds, disputes, approvals }: OrderDetails,
): Presented<'ledger' | 'events' | 'refunds' | 'disputes' | 'approvals'> {
  const points = ledger.map(({ movement, tenantId, userId, kind, bucket, amount, at }) => ({
    movement,
    tenantId,
    userId,
    kind,
    bucket,
    amount,
    at: at.toISOString(),
  }));
  const money = cash.map(({ movement, tenantId, account, amountMinor, at }) => ({
    movement,
    tenantId,
    userId: payer,
    kind: 'cash' as const,
    bucket: account,
    amount: fromMinor(amountMinor),
    at: at.toISOString(),
  }));
  return {
    ledger: [...points, ...money],
    events: events.map((event) => presentCallback(event)),
    refunds: refunds.map(presentRefund),
    disputes: disputes.map(presentDispute),
    approvals: approvals.map(presentApproval),
  };
}

/** An order with all stored details of its payment. */
export function presentOrderDetails(order: OrderRow, details: OrderDetails): StaffOrderData {
  return {
    ...presentStaffOrder(order),
    ...presentHistory(order, details),
    ...presentMoney(order, details),
    notes: presentNotes(details),
    origin: details.origin && { ...details.origin, countsUntil: details.origin.countsUntil.toISOString() },
    invoice: details.invoice && presentInvoice(details.invoice),
    refundable: fromMinor(details.refundableMinor),
  };
}

export const presentStanding = (standing: OrderStanding | undefined): OrderStandingData =>
  standing
    ? {
        phase: standing.phase,
        reason: standing.reason,
        since: standing.since.toISOString(),
        expectedSeconds: standing.expectedMs / 1000,
        reasonSince: standing.reasonSince?.toISOString() ?? null,
      }
    : null;
