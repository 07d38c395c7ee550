import { ApplicationFailure } from '@temporalio/common';
import { GatewayLags, GatewayUnclear } from '#clients/payment-gateway/client.ts';

/** An ambiguous response is retried by the activity's retry policy, no earlier than the gateway asks for. */
export function asRetry(error: unknown): never {
  if (!(error instanceof GatewayUnclear)) throw error;
  throw ApplicationFailure.create({
    message: error.message,
    type: 'GatewayUnclear',
    // A workflow with its own retry loop sees only the details.
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs, details: [error.retryAfterMs] }),
    cause: error,
  });
}

/** Like `asRetry`, but records the failure first so that operators can see why the payment is stuck. */
export async function retryNoting(error: unknown, note: () => Promise<void>): Promise<never> {
  if (error instanceof GatewayUnclear && !(error instanceof GatewayLags)) await note();
  return asRetry(error);
}
