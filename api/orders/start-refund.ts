import type { RefundChargeInput } from '#workflows/contracts/orders/refund-charge.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Launcher } from './launch.ts';

export type StartRefund = (refund: RefundChargeInput) => Promise<void>;

/** Starts the workflow of a stored refund by `start`. If Temporal cannot be reached now, the sweep does it. */
export function refundStarter(start: Launcher['startRefund'], logger: Logger): StartRefund {
  return async (refund) => {
    try {
      await start(refund);
    } catch (error) {
      logger.warn({ err: error, refundId: refund.refundId }, 'a stored refund is left to the sweep');
    }
  };
}
