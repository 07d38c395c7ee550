import type { Database } from '#db/database.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries as claim,
  type ClaimLimits,
  settleDelivery,
} from '#db/webhooks/claims.ts';
import { transact } from '../transaction.ts';

/** An event becomes due when the previous one of the same order has ended. */
const ofOrders = {
  goesTo: (delivery: string) => `${delivery}.tenant_id = w.tenant_id`,
  active: 'true',
  mayGo: 'true',
  secrets: 'array[w.sealed_secret]',
  bodies: 'select event_id, body from merchant_event where event_id = any(:eventIds)',
};

export const claimDeliveries = (database: Database, limits: ClaimLimits): Promise<ClaimedDelivery[]> =>
  claim(database, ofOrders, limits);

/**
 * Ends a claimed delivery, and makes the next event of its order due. Two statements, because only a second one sees an
 * event that was written while the first waited for its transaction.
 */
export async function endDelivery(
  database: Database,
  claimed: Pick<ClaimedDelivery, 'deliveryId' | 'attempt'>,
  to: 'delivered' | 'failed',
  result: AttemptResult,
): Promise<void> {
  await transact(database, async (transaction) => {
    const eventId = await settleDelivery(transaction, claimed, to, result);
    if (eventId === null) return;
    await transaction.raw(
      `update delivery d set next_attempt_at = now()
       from merchant_event e join merchant_event next on next.order_id = e.order_id and next.sequence = e.sequence + 1
       where e.event_id = :eventId and d.event_id = next.event_id and d.settled_at is null
         and d.status = 'pending' and d.next_attempt_at is null`,
      { eventId },
    );
  });
}
