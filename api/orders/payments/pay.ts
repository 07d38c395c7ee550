import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { Database } from '../../../db/database.ts';
import { findPayment, readPayment } from '../../../db/orders/payments.ts';
import { codesWithStatuses, OrderError, type OrderErrorCode } from '../../../domain/orders/codes.ts';
import { orderStatus } from '../../../domain/orders/states.ts';
import type { PayData } from '../../../domain/orders/responses.ts';
import {
  type PaymentResult,
  type PaymentState,
  rejected,
  type RejectionReason,
  resultFromRow,
} from '../../../domain/orders/payment.ts';
import type { PayOrderInput } from '../../../workflows/contracts/orders/pay-order.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { DrivenOrder, Launcher } from '../launch.ts';
import { presentPayment } from '../present/order.ts';
import { createReadAgain } from './read-again.ts';
import { createTurns, type TurnLimits } from './turns.ts';
import { singleFlight, within } from './waiting.ts';

export interface PaymentDeps {
  database: Database;
  launcher: Launcher;
  logger: Logger;
  /** How long a caller waits for an outcome before 90304. */
  deadlineMs?: number;
  turns?: TurnLimits;
}

const DEADLINE_MS = 10_000;
/**
 * Few pays at once keep the workflows' server and the database busy; with more of one tenant's, other tenants' pays
 * wait for both. A pay that takes longer waits for the gateway, which costs nobody anything. 200 at once have all begun
 * within 6 s, well before their deadline. `npm run bench -- busy-item` measures the other tenant.
 */
const TURNS = { atOnce: 8, longestMs: 250 };
/** Pause before reading again after a workflow ended during an update or Temporal could not be reached. */
const PAUSE_MS = 50;

const explanations: Record<RejectionReason, string> = {
  open_holds:
    'too many unpaid orders already hold points, coupons or goods for this payer: pay or cancel one of them first',
};

/** @throws OrderError for every code other than 1000, with the payment's state if the contract includes it. */
export function payResponse({ code, state, reason }: PaymentResult): PayData {
  if (code === 1000 && state) return presentPayment(state);
  const errorCode = (code === 1000 ? 90999 : code) satisfies OrderErrorCode;
  throw new OrderError(errorCode, {
    ...(state && codesWithStatuses.includes(errorCode) ? { data: presentPayment(state) } : {}),
    ...(reason ? { errors: [{ path: '', message: explanations[reason] }] } : {}),
  });
}

/** The response of a run whose attempt is outdated; the rows have the current state. */
const isStale = (response: PaymentResult): boolean => response.code === 90304 && response.state === null;

/** gRPC's CANCELLED, DEADLINE_EXCEEDED and UNAVAILABLE: Temporal was not reached, or nobody polls. */
const UNREACHABLE = new Set([1, 4, 14]);

function isUnreachable(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const code =
    (error as { code?: unknown; cause?: { code?: unknown } }).cause?.code ?? (error as { code?: unknown }).code;
  return typeof code === 'number' && UNREACHABLE.has(code);
}

/** Pays and cancels: from the order's row if it has the result, otherwise by the workflow, for at most 10 s. */
export function createPayments({ database, launcher, logger, deadlineMs = DEADLINE_MS, turns = TURNS }: PaymentDeps) {
  const inFlight = singleFlight<PaymentResult | undefined>();
  const inTurn = createTurns(turns);
  const readAgain = createReadAgain({ launcher, logger });

  /** Retries `ask` until the row or the workflow has a result; 90304 when the time is up. */
  async function untilDeadline(
    orderId: string,
    fromRow: (state: PaymentState) => PaymentResult | null,
    ask: (state: PaymentState, tries: number, end: number) => Promise<PaymentResult | undefined>,
  ): Promise<PaymentResult> {
    const end = Date.now() + deadlineMs;
    let tries = 0;
    while (Date.now() < end) {
      const state = await readPayment(database, orderId);
      const known = fromRow(state);
      if (known) return known;
      try {
        const response = await within(end, ask(state, tries, end));
        if (response && !isStale(response)) return response;
      } catch (error) {
        logger.warn({ err: error, orderId }, 'a payment workflow could not be reached; trying again');
        // An update that failed would fail again under the same id; one that never arrived keeps its id.
        if (!isUnreachable(error)) tries += 1;
      }
      await delay(Math.min(PAUSE_MS, Math.max(0, end - Date.now())));
    }
    const state = await readPayment(database, orderId);
    return fromRow(state) ?? rejected(90304, state);
  }

  return {
    findPayment: (orderId: string) => findPayment(database, orderId),

    async pay(
      orderId: string,
      terms: Pick<PayOrderInput, 'ttlMs' | 'resultURL' | 'cancelURL'>,
    ): Promise<PaymentResult> {
      await readAgain(await readPayment(database, orderId));
      return untilDeadline(orderId, resultFromRow, (state, tries, end) => {
        const input: PayOrderInput = { orderId, tenantId: state.tenantId, attempt: state.attempt, ...terms };
        const key = `pay:${orderId}:${state.attempt}:${tries}`;
        const inItsTurn = (isWanted: () => boolean) =>
          inTurn(state.tenantId, isWanted, () => launcher.pay(input, tries));
        return inFlight(key, inItsTurn, end);
      });
    },

    /** Waits until the staff decision in the order's rows is carried out. */
    resolve: (orderId: string): Promise<PaymentResult> =>
      untilDeadline(
        orderId,
        (state) => (state.orderStatus === orderStatus.PAYMENT_PENDING ? null : { code: 1000, state }),
        (state) =>
          inFlight(`resolve:${orderId}:${state.attempt}`, () =>
            launcher.resolve({ orderId, tenantId: state.tenantId, attempt: state.attempt }),
          ),
      ),

    /**
     * Waits until a payment that should end according to its rows has ended; `fromRow` decides what counts as ended.
     */
    end: (orderId: string, fromRow: (state: PaymentState) => PaymentResult | null): Promise<PaymentResult> =>
      untilDeadline(orderId, fromRow, (state, tries) => {
        const order: DrivenOrder = { orderId, tenantId: state.tenantId, attempt: state.attempt };
        return inFlight(`end:${orderId}:${state.attempt}:${tries}`, () => launcher.end(order, tries));
      }),
  };
}

export type Payments = ReturnType<typeof createPayments>;
