import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { PaymentResult } from '#domain/orders/payment.ts';
import { DEFAULT_RESERVE_TIMEOUT_SECONDS } from '#domain/orders/requests.ts';
import { taskQueues, workflowTaskTimeout } from '#temporal.config.ts';
import {
  endUpdate,
  endUpdateId,
  lookSignal,
  payOrderWorkflowId,
  type PayOrderInput,
  type PayOrderResult,
  payUpdate,
  payUpdateId,
  readUpdate,
  resolveUpdate,
} from '#workflows/contracts/orders/pay-order.ts';
import {
  type ReconcileChargesInput,
  reconcileDetails,
  reconcileSummary,
  reconcileWorkflowId,
} from '#workflows/contracts/orders/reconcile-charges.ts';
import { missingDaysWorkflowId, type ReconcileShopsInput } from '#workflows/contracts/orders/reconcile-shops.ts';
import {
  refundReportWorkflowId,
  refundWorkflowId,
  type RefundChargeInput,
} from '#workflows/contracts/orders/refund-charge.ts';
import { bizStatusAttribute, orderIdAttribute, tenantAttribute } from '#workflows/contracts/search-attributes.ts';
import { ensureSchedules } from './schedules.ts';

/** An order whose payment continues from its rows, whatever their state. */
export interface DrivenOrder {
  orderId: string;
  tenantId: string;
  attempt: number;
}

/** A recorded event by which the gateway reports a refund or a dispute. */
interface Report {
  eventId: string;
  orderId: string | null;
  tenantId: string;
}

/** The workflow's type by name, so that this process does not import workflow code. */
type PayOrder = (input: PayOrderInput) => Promise<PayOrderResult>;
const PAY_ORDER = 'payOrder';

const attributes = (order: { orderId: string | null; tenantId: string }, status: string) => [
  tenantAttribute(order.tenantId),
  ...(order.orderId === null ? [] : [{ key: orderIdAttribute, value: order.orderId }]),
  { key: bizStatusAttribute, value: status },
];

/** @param consoleUrl where the console is; without it details have no link */
function payOptions(input: PayOrderInput, consoleUrl: string | undefined) {
  const page = consoleUrl && ` [Open the order in the console](${consoleUrl}/app/orders/${input.orderId}).`;
  return {
    taskQueue: taskQueues.orders,
    workflowId: payOrderWorkflowId(input.orderId),
    args: [input] as [PayOrderInput],
    workflowTaskTimeout,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: attributes(input, 'PAYMENT_PENDING'),
    staticSummary: `Payment of order ${input.orderId}`,
    staticDetails: `Ends when it is paid, rejected, cancelled or expired, or as staff decide; holds are committed or released only here.${page ?? ''}`,
  } satisfies WorkflowStartOptions<PayOrder>;
}

const drivenInput = (order: DrivenOrder): PayOrderInput => ({
  ...order,
  ttlMs: DEFAULT_RESERVE_TIMEOUT_SECONDS * 1000,
  resultURL: null,
  cancelURL: null,
});

/** Longer than any caller waits: without a worker an update would wait forever, and a later call asks again. */
const UPDATE_DEADLINE_MS = 12_000;

function paymentLaunches(client: Client, consoleUrl: string | undefined) {
  const { workflow } = client;
  const startOperation = (input: PayOrderInput) =>
    new WithStartWorkflowOperation(PAY_ORDER, payOptions(input, consoleUrl));
  const bounded = <T>(call: () => Promise<T>): Promise<T> =>
    client.connection.withDeadline(Date.now() + UPDATE_DEADLINE_MS, call);

  return {
    /**
     * Starts the payment if it is not running, and waits for the result for the payer. Parallel calls share one
     * update.
     */
    pay: (input: PayOrderInput, tries = 0): Promise<PaymentResult> =>
      bounded(() =>
        workflow.executeUpdateWithStart(payUpdate, {
          args: [{ attempt: input.attempt }],
          updateId: payUpdateId(input.attempt, tries),
          startWorkflowOperation: startOperation(input),
        }),
      ),

    /** Carries out the staff decision in the rows, and waits until that is done. */
    resolve: (order: DrivenOrder): Promise<PaymentResult> =>
      bounded(() =>
        workflow.executeUpdateWithStart(resolveUpdate, {
          args: [{ attempt: order.attempt }],
          startWorkflowOperation: startOperation(drivenInput(order)),
        }),
      ),

    /** Reads the charge of a payment in progress now, and waits until that is done. */
    readCharge: (order: DrivenOrder): Promise<PaymentResult> =>
      bounded(() =>
        workflow.executeUpdateWithStart(readUpdate, {
          args: [{ attempt: order.attempt }],
          startWorkflowOperation: startOperation(drivenInput(order)),
        }),
      ),

    /** Waits for the end of a payment that should end according to its rows. */
    end: (order: DrivenOrder, tries = 0): Promise<PaymentResult> =>
      bounded(() =>
        workflow.executeUpdateWithStart(endUpdate, {
          args: [{ attempt: order.attempt }],
          updateId: endUpdateId(order.attempt, tries),
          startWorkflowOperation: startOperation(drivenInput(order)),
        }),
      ),

    /** Makes a payment read its rows again, and starts it from them if it is not running. */
    async drivePayment({ orderId, tenantId, attempt }: DrivenOrder): Promise<void> {
      const { args, ...options } = payOptions(drivenInput({ orderId, tenantId, attempt }), consoleUrl);
      await workflow.signalWithStart(PAY_ORDER, { ...options, args, signal: lookSignal, signalArgs: [] });
    },
  };
}

/** The server's enum value for a workflow task that a worker has begun. */
const STARTED = 2;

/**
 * Whether the payment's workflow is running an activity, be it within a workflow task. When that ends, the workflow reads
 * the current rows.
 */
async function isBusy({ workflow }: Client, orderId: string): Promise<boolean> {
  try {
    const { status, raw } = await workflow.getHandle(payOrderWorkflowId(orderId)).describe();
    const isWorking = (raw.pendingActivities ?? []).length > 0 || raw.pendingWorkflowTask?.state === STARTED;
    return status.name === 'RUNNING' && isWorking;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function summaryOf({ orderId, reportedBy }: RefundChargeInput): string {
  const of = orderId === null ? 'money of an unknown order' : `order ${orderId}`;
  return reportedBy === undefined ? `Refund of ${of}` : `Report of the payment gateway about ${of}`;
}

/**
 * Starts a refund.
 * @param underWay whether a run in progress continues or is replaced.
 * @returns false if it continues.
 */
async function startRefund(
  { workflow }: Client,
  refund: RefundChargeInput,
  underWay: 'goes on' | 'is replaced',
): Promise<boolean> {
  const { refundId, reportedBy } = refund;
  const options = {
    taskQueue: taskQueues.orders,
    workflowId: reportedBy === undefined ? refundWorkflowId(refundId) : refundReportWorkflowId(reportedBy),
    args: [refund],
    workflowTaskTimeout,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: underWay === 'goes on' ? ('FAIL' as const) : ('TERMINATE_EXISTING' as const),
    typedSearchAttributes: attributes(refund, reportedBy === undefined ? 'REFUND_PENDING' : 'REPORTED'),
    staticSummary: summaryOf(refund),
    staticDetails: 'Ends when the payment gateway confirms or shows it, or staff must decide.',
  };
  try {
    await workflow.start('refundCharge', options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Restarts the comparison of a day; a run in progress is replaced. */
async function startReconciliation({ workflow }: Client, day: { tenantId: string; date: string }): Promise<void> {
  await workflow.start('reconcileCharges', {
    taskQueue: taskQueues.orders,
    workflowId: reconcileWorkflowId(day),
    args: [day satisfies ReconcileChargesInput],
    workflowTaskTimeout,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    typedSearchAttributes: [tenantAttribute(day.tenantId)],
    staticSummary: reconcileSummary(day),
    staticDetails: reconcileDetails,
  });
}

/** Compares the days before a date that a tenant lacks, the oldest first; a run in progress is replaced. */
async function startMissingDays(
  { workflow }: Client,
  { tenantId, before }: { tenantId: string; before: string },
): Promise<void> {
  await workflow.start('reconcileShops', {
    taskQueue: taskQueues.orders,
    workflowId: missingDaysWorkflowId(tenantId),
    args: [{ tenantId, date: before } satisfies ReconcileShopsInput],
    workflowTaskTimeout,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    typedSearchAttributes: [tenantAttribute(tenantId)],
    staticSummary: `Compares the days that ${tenantId} lacks with the payment gateway`,
    staticDetails: reconcileDetails,
  });
}

/** Starts and calls the workflows of the order service. */
export function createLauncher(client: Client, consoleUrl?: string) {
  const payments = paymentLaunches(client, consoleUrl);
  return {
    ...payments,
    /**
     * For the sweep, which runs again and again: every signal stays in the workflow's history, which must not grow
     * during an outage.
     * @returns false if the payment continues by itself.
     */
    async resumePayment(order: DrivenOrder): Promise<boolean> {
      if (await isBusy(client, order.orderId)) return false;
      await payments.drivePayment(order);
      return true;
    },
    startRefund: (refund: RefundChargeInput): Promise<boolean> => startRefund(client, refund, 'goes on'),
    /** Starts a refund that staff want to be tried again, although the run that gave up may still be ending. */
    restartRefund: (refund: RefundChargeInput): Promise<boolean> => startRefund(client, refund, 'is replaced'),
    startReconciliation: (day: { tenantId: string; date: string }): Promise<void> => startReconciliation(client, day),
    startMissingDays: (of: { tenantId: string; before: string }): Promise<void> => startMissingDays(client, of),
    /** Books what the gateway reports, once its charge shows it. */
    startReport: ({ eventId, ...of }: Report): Promise<boolean> =>
      startRefund(client, { refundId: eventId, ...of, reportedBy: eventId }, 'goes on'),
    ensureSchedules: (): Promise<void> => ensureSchedules(client),
  };
}

export type Launcher = ReturnType<typeof createLauncher>;
