import type { PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import {
  type EndedCharge,
  endedChargesToRead,
  planNextRead,
  postponeRead,
  recordRead,
  refundLateMoney,
} from '#db/orders/charges/reads.ts';
import { wasPaid } from '#domain/orders/charge-comparison.ts';
import type { Drive } from './drive.ts';

interface ReadDeps extends Pick<Drive, 'startRefund'> {
  database: Database;
  gateway: PaymentGateway;
}

const AT_ONCE = 20;

/** Reads the charge of an ended payment once more: received money is refunded, and it can no longer be paid. */
async function readEnded({ database, gateway, startRefund }: ReadDeps, ended: EndedCharge): Promise<void> {
  const { chargeId, orderId, tenantId, attempt } = ended;
  try {
    const charge = await gateway.readCharge(chargeId);
    await recordRead(database, { orderId, attempt }, charge);
    const cancelled = charge.status === 'pending' ? await gateway.cancelCharge(chargeId) : 'cancelled';
    if (wasPaid(charge) || cancelled === 'paid') {
      if (await refundLateMoney(database, ended)) await startRefund({ refundId: chargeId, orderId, tenantId });
    } else await planNextRead(database, ended);
  } catch (error) {
    await postponeRead(database, ended);
    throw error;
  }
}

/**
 * Reads those that are due, the longest due first, until none is left or the time is up: what is left then is for the
 * next round.
 * @returns how many were read; errors are added to `failures`, so that one charge does not keep others from their turn.
 */
export async function readEndedCharges(
  deps: ReadDeps,
  { now, withinMs, failures }: { now: Date; withinMs: number; failures: unknown[] },
): Promise<number> {
  const end = Date.now() + withinMs;
  let count = 0;
  let due: EndedCharge[];
  do {
    due = await endedChargesToRead(deps.database, now, AT_ONCE);
    const reads = due.map((ended) => readEnded(deps, ended));
    for (const read of await Promise.allSettled(reads)) if (read.status === 'rejected') failures.push(read.reason);
    count += due.length;
  } while (due.length === AT_ONCE && Date.now() < end);
  return count;
}
