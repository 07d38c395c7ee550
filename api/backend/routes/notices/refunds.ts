import type { ReadWaitingRefunds } from '#clients/orders/waiting-refunds.ts';
import type { WaitingRefund } from '#domain/api/waiting-refunds.ts';
import type { Logger } from '#api/runtime/logger.ts';

/** As often as streams look, whoever they are for. */
const ASK_AGAIN_MS = 2000;
const MAXIMUM_KEPT = 10_000;

interface Kept {
  askedAt: number;
  refunds: Promise<WaitingRefund[]>;
}

/**
 * Refunds that wait for a tenant's staff, as the order service knew them at most two seconds ago; while it does not respond,
 * as it last said.
 */
export function createKeptRefunds(
  read: ReadWaitingRefunds,
  { logger, now }: { logger: Logger; now: () => Date },
): (tenantId: string) => Promise<WaitingRefund[]> {
  const kept = new Map<string, Kept>();
  return (tenantId) => {
    const askedAt = now().getTime();
    const last = kept.get(tenantId);
    if (last && askedAt - last.askedAt < ASK_AGAIN_MS) return last.refunds;
    const refunds = read(tenantId).catch((error: unknown) => {
      logger.warn(
        { err: error, tenantId },
        'refunds that need staff could not be read; notices have those known before',
      );
      return last?.refunds ?? [];
    });
    kept.delete(tenantId);
    kept.set(tenantId, { askedAt, refunds });
    const [oldest] = kept.keys();
    if (kept.size > MAXIMUM_KEPT && oldest !== undefined) kept.delete(oldest);
    return refunds;
  };
}
