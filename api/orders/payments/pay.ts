import type { Database } from '#db/database.ts';
import type { PayersOrder } from '#db/orders/orders.ts';
import { cancelCreated, findPayersPayment, requestCancel } from '#db/orders/payments.ts';
import { codesWithStatuses, OrderError, type OrderErrorCode } from '#domain/orders/codes.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { PayData } from '#domain/orders/responses.ts';
import {
  type PaymentResult,
  type PaymentState,
  rejected,
  type RejectionReason,
  resultFromRow,
} from '#domain/orders/payment.ts';
import type { PayOrderInput } from '#workflows/contracts/orders/pay-order.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { Launcher } from '../launch.ts';
import { presentPayment } from '../present/order.ts';
import { needsNoWorkflow, payAtOnce, type PaymentTerms } from './pay-at-once.ts';
import { createReadAgain } from './read-again.ts';
import { createTurns, type TurnLimits } from './turns.ts';
import { createUntilDeadline } from './until-deadline.ts';
import { singleFlight, within } from './waiting.ts';

export interface PaymentDeps {
  database: Database;
  launcher: Launcher;
  logger: Logger;
  /** How long a caller waits for an outcome before 90304. */
  deadlineMs?: number;
}

const DEADLINE_MS = 10_000;
/**
 * Work of one tenant at once: more of it keeps the processor, the database and the workflows' server busy while other
 * tenants' pays wait, and is hardly faster. Four statements at once share the writes of their commits, and are fewer than
 * there are connections. What takes longer waits for something else, a lock or the gateway, and
 * costs nobody anything. `npm run bench -- busy-item` measures the other tenant.
 */
const BRIEF_TURNS: TurnLimits = { atOnce: 4, longestMs: 250 };
const WORKFLOW_TURNS: TurnLimits = { atOnce: 2, longestMs: 250 };

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

/**
 * Pays and cancels, for at most 10 s: from the order's row if it has the result, in one statement if nothing is
 * payable, otherwise by the workflow.
 */
export function createPayments({ database, launcher, logger, deadlineMs = DEADLINE_MS }: PaymentDeps) {
  const inFlight = singleFlight<PaymentResult | undefined>();
  const briefly = createTurns(BRIEF_TURNS);
  const byWorkflow = createTurns(WORKFLOW_TURNS);
  const readAgain = createReadAgain({ launcher, logger });
  const { deadline, untilDeadline } = createUntilDeadline({ database, logger, deadlineMs });

  return {
    /** @throws OrderError 90200 */
    async pay(own: PayersOrder, terms: PaymentTerms): Promise<PaymentResult> {
      const { tenantId, orderId } = own;
      const end = deadline();
      const isWanted = () => Date.now() < end;
      const found = await within(
        end,
        briefly(tenantId, isWanted, () => findPayersPayment(database, own)),
      );
      if (found === undefined) return rejected(90304, null);
      if (found === null) throw new OrderError(90200);
      const read = (await readAgain(found)) ? null : found;
      const ask = (state: PaymentState, tries: number): Promise<PaymentResult | undefined> => {
        const input: PayOrderInput = { orderId, tenantId, attempt: state.attempt, ...terms };
        const begin = (wanted: () => boolean) =>
          needsNoWorkflow(state)
            ? briefly(tenantId, wanted, () => payAtOnce(database, state, terms))
            : byWorkflow(tenantId, wanted, () => launcher.pay(input, tries));
        return inFlight(`pay:${orderId}:${state.attempt}:${tries}`, begin, end);
      };
      return untilDeadline(orderId, resultFromRow, ask, { end, read });
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
     * Asks for the end of what is being paid, and waits for it; `fromRow` decides what counts as ended. An order that is not
     * being paid, or no longer, is cancelled in its row: its workflow would begin to pay it.
     */
    cancel: (orderId: string, fromRow: (state: PaymentState) => PaymentResult | null): Promise<PaymentResult> =>
      untilDeadline(orderId, fromRow, async (state, tries) => {
        const { attempt, tenantId } = state;
        if (state.orderStatus === orderStatus.CREATED) {
          await cancelCreated(database, orderId);
          return undefined;
        }
        if (!state.cancelRequested) await requestCancel(database, { orderId, attempt });
        return inFlight(`end:${orderId}:${attempt}:${tries}`, () =>
          launcher.end({ orderId, tenantId, attempt }, tries),
        );
      }),
  };
}

export type Payments = ReturnType<typeof createPayments>;
