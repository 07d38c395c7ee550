import { ApplicationFailure } from '@temporalio/common';
import { GatewayLags, GatewayUnclear } from '../../clients/payment-gateway/client.ts';

/** An ambiguous response is retried by the activity's retry policy, no earlier than the gateway asks for. */
export function asRetry(error: unknown): never {
  if (!(error instanceof GatewayUnclear)) throw error;
  throw ApplicationFailure.create({
    message: error.message,
    type: 'GatewayUnclear',
    // A workflow that retries by itself sees only the details.
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs, details: [error.retryAfterMs] }),
    cause: error,
  });
}

/** The same; that the gateway gave no usable response is stored first, for whoever wonders why nothing goes on. */
export async function retryNoting(error: unknown, note: () => Promise<void>): Promise<never> {
  if (error instanceof GatewayUnclear && !(error instanceof GatewayLags)) await note();
  return asRetry(error);
}
