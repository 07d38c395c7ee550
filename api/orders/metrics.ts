import { Counter, type Registry } from 'prom-client';
import type { OrdersActivities } from '#activities/orders/index.ts';
import type { Database } from '#db/database.ts';
import { isBusy } from '#db/errors.ts';
import { type OrderFigures, readOrderFigures } from '#db/orders/metrics.ts';
import { standingOrders } from '#db/orders/standing.ts';
import { orderWaitsFor } from '#domain/orders/standing.ts';
import { RELAY, SEALER } from '#domain/recurring/sweep.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { countedByReason, databaseGauges, type GaugeDefinition } from '../http/metrics.ts';
import { recurringGauges } from '../runtime/recurring/runs.ts';
import { deliveryMetrics } from '../runtime/webhooks/metrics.ts';
import type { DeliveryResult } from '../runtime/webhooks/relay.ts';
import type { TokenResult } from './attribution/click-tokens.ts';
import { bookGauges } from './book-metrics.ts';
import type { Payments } from './payments/pay.ts';
import { schedules } from './schedules.ts';

/** The order service's metrics for on-call staff. No label names a tenant, an order or a payer. */
export interface OrdersMetrics {
  /** The payments, with the responses of pay counted. */
  counted(payments: Payments): Payments;
  /** The activities, with refunds and the sweep counted. */
  countedActivities(activities: OrdersActivities): OrdersActivities;
  /** Counts the click token of a new order. */
  countClickToken(result: TokenResult): void;
  /** Counts an attempt to deliver an event to a merchant. */
  countDelivery(result: DeliveryResult): void;
}

const definitions: Record<keyof OrderFigures, GaugeDefinition> = {
  holds: { name: 'orders_holds_open', help: 'Payments in progress that hold points, stock or coupons' },
  holdOverdueSeconds: {
    name: 'orders_hold_overdue_seconds',
    help: 'How long ago the oldest open hold should have ended; orders that wait for staff do not count',
  },
  chargeUnreadSeconds: {
    name: 'orders_charge_unread_seconds',
    help: 'Time since the pending charge that has waited longest was read from the gateway, or made',
  },
  lateReadOverdueSeconds: {
    name: 'orders_late_read_overdue_seconds',
    help: 'How long the charge of an ended payment has been due to be read again, for money that came late',
  },
  refunds: { name: 'orders_refunds_pending', help: 'Refunds that the gateway has not confirmed yet' },
  oldestRefundSeconds: { name: 'orders_refund_oldest_seconds', help: 'Age of the oldest pending refund' },
  refundsNeedStaff: { name: 'orders_refunds_need_staff', help: 'Refunds that the gateway does not carry out' },
  flagged: { name: 'orders_flagged', help: 'Orders that wait for a decision by staff' },
  unmatched: {
    name: 'orders_callbacks_unmatched',
    help: 'Callbacks of a known shop that fit no order, or are of an unknown type, and that staff have not resolved',
  },
  oldestUnmatchedSeconds: { name: 'orders_callback_unmatched_oldest_seconds', help: 'Age of the oldest of them' },
  foreignShop: { name: 'orders_callbacks_foreign_shop', help: 'Callbacks that name a shop of no tenant' },
};

/** Stalled orders, including those that wait for the tenant's staff. */
function standingGauges(registry: Registry, database: Database): void {
  databaseGauges(
    registry,
    {
      standing: {
        name: 'orders_standing',
        help: 'Orders that made no progress for longer than their phase is expected to take, by phase and reason',
        labelNames: ['phase', 'reason', 'waits_for'],
      },
    },
    async () => ({ standing: countedByReason(await standingOrders(database, new Date()), orderWaitsFor) }),
  );
}

export function createOrdersMetrics(registry: Registry, database: Database): OrdersMetrics {
  databaseGauges(registry, definitions, () => readOrderFigures(database));
  bookGauges(registry, database);
  standingGauges(registry, database);
  recurringGauges(registry, database, { schedules, always: [SEALER, RELAY] });
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] });
  const pays = counter('orders_pays_total', 'Responses of pay by code; 1000 is success', 'code');
  const refunds = counter('orders_refund_attempts_total', 'Refund attempts by result: confirmed, failed', 'result');
  const sweeps = counter('sweep_actions_total', 'Payments and refunds resumed by the sweep, by kind', 'kind');
  const countDelivery = deliveryMetrics(registry, database, { prefix: 'orders', to: 'merchants' });
  const clickTokens = counter(
    'orders_click_tokens_total',
    'Click tokens of new orders by result: accepted, malformed, wrong (altered, of another tenant or secret), expired',
    'result',
  );
  return {
    countClickToken: (result) => clickTokens.inc({ result }),
    countDelivery,
    counted: (payments) => ({
      ...payments,
      async pay(...call) {
        try {
          const response = await payments.pay(...call);
          pays.inc({ code: response.code });
          return response;
        } catch (error) {
          pays.inc({ code: isBusy(error) ? 90304 : error instanceof OrderError ? error.code : 90999 });
          throw error;
        }
      },
    }),
    countedActivities: (activities) => ({
      ...activities,
      async refundCharge(charge) {
        try {
          const result = await activities.refundCharge(charge);
          refunds.inc({ result });
          return result;
        } catch (error) {
          refunds.inc({ result: 'failed' });
          throw error;
        }
      },
      async driveOrders(given) {
        const driven = await activities.driveOrders(given);
        for (const [kind, count] of Object.entries(driven)) sweeps.inc({ kind }, count);
        return driven;
      },
    }),
  };
}
