import type { Client } from '@temporalio/client';
import type { OrdersActivities } from '#activities/orders/index.ts';
import type { Database } from '#db/database.ts';
import { taskQueues } from '#temporal.config.ts';
import { checkLedgerScheduleId } from '#workflows/contracts/orders/check-ledger.ts';
import { reconcileChargesScheduleId } from '#workflows/contracts/orders/reconcile-shops.ts';
import { noting } from '../runtime/recurring/runs.ts';
import { ensureSchedule, type ScheduleDefinition } from '../runtime/recurring/schedules.ts';

const ordersSweepScheduleId = 'orders-sweep';

const sweep: ScheduleDefinition = {
  id: ordersSweepScheduleId,
  type: 'sweepOrders',
  taskQueue: taskQueues.orders,
  // The workers sweep by themselves; this shows that it works, and remains if they do not.
  when: { every: '30 minutes' },
  catchupWindow: '1 minute',
  longest: '5 minutes',
  startsAtOnce: true,
  summary: 'Resumes payments and refunds left without a workflow, beside the sweeps of the workers',
};

const reconciliation: ScheduleDefinition = {
  id: reconcileChargesScheduleId,
  type: 'reconcileShops',
  taskQueue: taskQueues.orders,
  // The gateway has settled the day's last payments by then.
  when: { hour: 0, minute: 30 },
  catchupWindow: '20 hours',
  longest: '23 hours',
  startsAtOnce: true,
  summary: 'Compares, every day, the charges of the day before with the payment gateway',
};

const ledgerCheck: ScheduleDefinition = {
  id: checkLedgerScheduleId,
  type: 'checkLedger',
  taskQueue: taskQueues.orders,
  when: { every: 60 * 60_000 },
  catchupWindow: '1 minute',
  longest: '55 minutes',
  startsAtOnce: true,
  summary: 'Compares balances and the cash of orders with their entries: every hour what changed, every week all',
};

/** The order service's workflows that run on a Schedule. */
export const schedules: readonly ScheduleDefinition[] = [sweep, reconciliation, ledgerCheck];

/** Creates or updates every Schedule of the order service. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const definition of schedules) await ensureSchedule(client, definition);
}

/** The activities as Schedules call them: the last one of a run notes its end. */
export const notingRuns = (database: Database, activities: OrdersActivities): OrdersActivities => ({
  ...activities,
  driveOrders: noting(database, { kind: ordersSweepScheduleId }, activities.driveOrders),
  shopsToReconcile: noting(
    database,
    { kind: reconcileChargesScheduleId, ends: (tenants) => tenants.length === 0 },
    activities.shopsToReconcile,
  ),
  recordLedgerCheck: noting(database, { kind: checkLedgerScheduleId }, activities.recordLedgerCheck),
});
