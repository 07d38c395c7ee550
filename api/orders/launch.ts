import { type Client, WithStartWorkflowOperation, type WorkflowStartOptions } from '@temporalio/client';
import type { PaymentAnswer } from '../../domain/orders/payment.ts';
import { DEFAULT_RESERVE_TIMEOUT_SECONDS } from '../../domain/orders/requests.ts';
import { taskQueues, workflowTaskTimeout } from '../../temporal.config.ts';
import {
  endUpdate,
  endUpdateId,
  lookSignal,
  payOrderWorkflowId,
  type PayOrderInput,
  type PayOrderResult,
  payUpdate,
  payUpdateId,
} from '../../workflows/contracts/pay-order.ts';
import { refundWorkflowId, type RefundChargeInput } from '../../workflows/contracts/refund-charge.ts';
import {
  bizStatusAttribute,
  orderIdAttribute,
  tenantIdAttribute,
} from '../../workflows/contracts/search-attributes.ts';
import {
  sweepLongest,
  type SweepRounds,
  sweepRunMs,
  sweepStartsEveryMs,
} from '../../workflows/contracts/sweep-rounds.ts';
import { ensureSchedule, type ScheduleDefinition } from '../runtime/schedules.ts';

/** An order to be driven from its rows, whatever they say. */
export interface DrivenOrder {
  orderId: string;
  tenantId: string;
  attempt: number;
}

/** The type by name, so that this program holds no workflow code. */
type PayOrder = (input: PayOrderInput) => Promise<PayOrderResult>;
const PAY_ORDER = 'payOrder';

const attributes = (order: { orderId: string; tenantId: string }, status: string) => [
  { key: tenantIdAttribute, value: order.tenantId },
  { key: orderIdAttribute, value: order.orderId },
  { key: bizStatusAttribute, value: status },
];

function payOptions(input: PayOrderInput) {
  return {
    taskQueue: taskQueues.orders,
    workflowId: payOrderWorkflowId(input.orderId),
    args: [input] as [PayOrderInput],
    workflowTaskTimeout,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: attributes(input, 'CREATED'),
    staticSummary: `Payment of order ${input.orderId}`,
    staticDetails:
      'Ends when it is paid, refused, cancelled or expired, or as staff decide; holds are committed or released only here.',
  } satisfies WorkflowStartOptions<PayOrder>;
}

const drivenInput = (order: DrivenOrder): PayOrderInput => ({
  ...order,
  ttlMs: DEFAULT_RESERVE_TIMEOUT_SECONDS * 1000,
  resultURL: null,
  cancelURL: null,
});

/** Longer than any caller waits: without a worker an update would wait for ever, and a later call asks again. */
const UPDATE_DEADLINE_MS = 12_000;

function paymentLaunches(client: Client) {
  const { workflow } = client;
  const startOperation = (input: PayOrderInput) => new WithStartWorkflowOperation(PAY_ORDER, payOptions(input));
  const bounded = <T>(call: () => Promise<T>): Promise<T> =>
    client.connection.withDeadline(Date.now() + UPDATE_DEADLINE_MS, call);

  return {
    /** Starts the payment where it does not run, and waits for what the payer is told. Parallel calls are one update. */
    pay: (input: PayOrderInput, tries = 0): Promise<PaymentAnswer> =>
      bounded(() =>
        workflow.executeUpdateWithStart(payUpdate, {
          args: [{ attempt: input.attempt }],
          updateId: payUpdateId(input.attempt, tries),
          startWorkflowOperation: startOperation(input),
        }),
      ),

    /** Waits for the end of a payment that the rows ask to end. */
    end: (order: DrivenOrder, tries = 0): Promise<PaymentAnswer> =>
      bounded(() =>
        workflow.executeUpdateWithStart(endUpdate, {
          args: [{ attempt: order.attempt }],
          updateId: endUpdateId(order.attempt, tries),
          startWorkflowOperation: startOperation(drivenInput(order)),
        }),
      ),

    /** Has a payment look at its rows, starting it from them where it does not run. */
    async drivePayment({ orderId, tenantId, attempt }: DrivenOrder): Promise<void> {
      const { args, ...options } = payOptions(drivenInput({ orderId, tenantId, attempt }));
      await workflow.signalWithStart(PAY_ORDER, { ...options, args, signal: lookSignal, signalArgs: [] });
    },
  };
}

/** Begins a refund that does not run yet. */
async function startRefund({ workflow }: Client, refund: RefundChargeInput): Promise<void> {
  await workflow.start('refundCharge', {
    taskQueue: taskQueues.orders,
    workflowId: refundWorkflowId(refund.chargeId),
    args: [refund],
    workflowTaskTimeout,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: attributes(refund, 'REFUND_PENDING'),
    staticSummary: `Refund of a charge of order ${refund.orderId}`,
    staticDetails: 'Ends when the payment gateway confirms that the money was given back.',
  });
}

const sweep: ScheduleDefinition = {
  id: 'orders-sweep',
  type: 'sweepOrders',
  taskQueue: taskQueues.orders,
  args: [{ everyMs: 10_000, forMs: sweepRunMs } satisfies SweepRounds],
  // A run that is under way goes on; one that somebody ended is followed by the next within a minute.
  when: { every: sweepStartsEveryMs },
  catchupWindow: '1 minute',
  longest: sweepLongest,
  startsAtOnce: true,
  summary: 'Drives, every 10 seconds, payments and refunds that were left without a workflow',
};

/** Starts and reaches the workflows of the order service. */
export function createLauncher(client: Client) {
  return {
    ...paymentLaunches(client),
    startRefund: (refund: RefundChargeInput): Promise<void> => startRefund(client, refund),
    ensureSweep: async (): Promise<void> => void (await ensureSchedule(client, sweep)),
  };
}

export type Launcher = ReturnType<typeof createLauncher>;
