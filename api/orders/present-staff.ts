import type { GatewayEvent } from '../../db/orders/models.ts';
import type { OrderRow } from '../../db/orders/orders.ts';
import type { OrderDetails } from '../../db/orders/staff.ts';
import type { CallbackEvent, StaffOrderData } from '../../domain/orders/responses.ts';
import { payOrderWorkflowId } from '../../workflows/contracts/pay-order.ts';
import { presentOrder } from './present.ts';

/** An order as staff see it in lists. */
export function presentStaffOrder(order: OrderRow) {
  return {
    ...presentOrder(order),
    userId: order.userId,
    flags: order.flags,
    workflowId: payOrderWorkflowId(order.orderId),
  };
}

export function presentCallback(event: GatewayEvent): CallbackEvent {
  const { eventId, type, chargeId, orderNo, shopId, amount, currency, status, receivedAt, body } = event;
  const at = receivedAt.toISOString();
  return { eventId, type, chargeId, orderNo, shopId, amount, currency, status, receivedAt: at, body };
}

type Presented<Name extends keyof StaffOrderData> = Pick<StaffOrderData, Name>;

/** The order's status history, attempts and flags. */
function presentHistory({ history, attempts, flags }: OrderDetails): Presented<'history' | 'attempts' | 'flagDetails'> {
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
      currency: row.currency,
      chargeId: row.chargeId,
      chargeSends: row.chargeSends,
      cancelRequested: row.cancelRequested,
    })),
    flagDetails: flags.map(({ code, detail, raisedAt, resolution, resolvedBy, resolvedAt }) => ({
      code,
      detail,
      raisedAt: raisedAt.toISOString(),
      resolution,
      resolvedBy,
      resolvedAt: resolvedAt?.toISOString() ?? null,
    })),
  };
}

/** Money that was moved, and what the gateway reported. */
function presentMoney({ ledger, events, refunds }: OrderDetails): Presented<'ledger' | 'events' | 'refunds'> {
  return {
    ledger: ledger.map(({ movement, tenantId, userId, kind, bucket, amount, at }) => ({
      movement,
      tenantId,
      userId,
      kind,
      bucket,
      amount,
      at: at.toISOString(),
    })),
    events: events.map(presentCallback),
    refunds: refunds.map(({ chargeId, status, createdAt, confirmedAt }) => ({
      chargeId,
      status,
      decidedAt: createdAt.toISOString(),
      confirmedAt: confirmedAt?.toISOString() ?? null,
    })),
  };
}

/** An order with all stored details of its payment. */
export function presentOrderDetails(order: OrderRow, details: OrderDetails): StaffOrderData {
  return { ...presentStaffOrder(order), ...presentHistory(details), ...presentMoney(details) };
}
