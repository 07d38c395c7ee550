import type { PaymentResult, PaymentState } from '#domain/orders/payment.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { DrivenOrder, Launcher } from '../launch.ts';
import { singleFlight, within } from './waiting.ts';

/** How long a repeated pay waits for its charge to be read. */
const READ_DEADLINE_MS = 2000;
/** A charge that was read within this time is not read again. */
const FRESH_MS = 1000;

/**
 * A payer who pays again has often paid already, and the callback was lost: the charge is read first. If that takes
 * too long, the row responds as it is.
 * @returns whether it was read, so that the row may have changed.
 */
export function createReadAgain({ launcher, logger }: { launcher: Pick<Launcher, 'readCharge'>; logger: Logger }) {
  const inFlight = singleFlight<PaymentResult>();

  return async function readAgain(state: PaymentState): Promise<boolean> {
    const { orderId } = state;
    const readable = state.orderStatus === orderStatus.PAYMENT_PENDING && state.paymentUrl !== null && !state.flagged;
    const recent = state.readAt !== null && Date.now() - Date.parse(state.readAt) < FRESH_MS;
    if (!readable || recent) return false;
    const order: DrivenOrder = { orderId, tenantId: state.tenantId, attempt: state.attempt };
    const read = inFlight(`read:${orderId}:${state.attempt}`, () => launcher.readCharge(order));
    await within(Date.now() + READ_DEADLINE_MS, read).catch((error: unknown) =>
      logger.warn({ err: error, orderId }, 'a charge could not be read before responding to a repeated pay'),
    );
    return true;
  };
}
