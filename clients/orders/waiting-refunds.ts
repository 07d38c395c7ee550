import { type WaitingRefund, waitingRefundOperations, waitingRefundsSchema } from '#domain/api/waiting-refunds.ts';
import { createInternalCalls, type OrderServiceOptions } from './internal-calls.ts';

/** Somebody waits for a list of notices. */
const CALL_TIMEOUT_MS = 2000;
const CONNECTIONS = 4;
const MAXIMUM_RESPONSE_BYTES = 1_048_576;

/** Refunds that need staff, of a tenant and those whose headquarters it is. @throws Error */
export type ReadWaitingRefunds = (platformTenantId: string) => Promise<WaitingRefund[]>;

export function createWaitingRefundClient(options: OrderServiceOptions): {
  read: ReadWaitingRefunds;
  destroy(): Promise<void>;
} {
  const calls = createInternalCalls(options, {
    timeoutMs: CALL_TIMEOUT_MS,
    connections: CONNECTIONS,
    maximumResponseBytes: MAXIMUM_RESPONSE_BYTES,
  });
  const { path } = waitingRefundOperations.listWaitingRefunds;
  return {
    read: async (platformTenantId) =>
      waitingRefundsSchema.parse(await calls.get(path, new URLSearchParams({ platformTenantId }))).refunds,
    destroy: () => calls.destroy(),
  };
}
