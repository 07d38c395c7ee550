import { deletePayloads } from '../../../db/outreach/retention/payloads.ts';
import { keptSince, retentionOf } from '../../../domain/retention.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { AsOf, OutreachDeps } from '../deps.ts';

/** Kept small, since events keep arriving in the meantime. */
const PAYLOADS_PER_TRANSACTION = 1000;
const TRANSACTIONS_PER_BATCH = 50;

export interface DeletedPayloads {
  deleted: number;
  /** There is more to do at the same `now`. */
  more: boolean;
}

async function deleteSome(deps: OutreachDeps, now: Date, cancelled: AbortSignal): Promise<DeletedPayloads> {
  const { database, settings } = deps;
  const before = keptSince(retentionOf(settings).events, now);
  let deleted = 0;
  for (let batch = 0; batch < TRANSACTIONS_PER_BATCH && !cancelled.aborted; batch += 1) {
    const found = await deletePayloads(database, { before, limit: PAYLOADS_PER_TRANSACTION });
    deleted += found;
    if (found < PAYLOADS_PER_TRANSACTION) return { deleted, more: false };
  }
  return { deleted, more: true };
}

export function createPayloadRetentionActivities(deps: OutreachDeps) {
  return {
    /** Deletes some of the payloads whose retention has passed, in transactions of 1,000. Safe to repeat. */
    deletePayloadsBatch: ({ now }: AsOf): Promise<DeletedPayloads> =>
      withHeartbeat((cancelled) => deleteSome(deps, new Date(now), cancelled)),
  };
}
