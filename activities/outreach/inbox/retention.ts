import { deletePayloads } from '../../../db/outreach/inbox/retention.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';
import type { AsOf } from '../tags/expiry-and-no-response.ts';

/** Of one transaction: events come in meanwhile. */
const payloadsAtOnce = 1000;
const batchesAtOnce = 50;

export interface DeletedPayloads {
  deleted: number;
  /** More is to be done at the same `now`. */
  more: boolean;
}

async function deleteSome({ database }: OutreachDeps, now: Date, cancelled: AbortSignal): Promise<DeletedPayloads> {
  let deleted = 0;
  for (let batch = 0; batch < batchesAtOnce && !cancelled.aborted; batch += 1) {
    const found = await deletePayloads(database, { now, limit: payloadsAtOnce });
    deleted += found;
    if (found < payloadsAtOnce) return { deleted, more: false };
  }
  return { deleted, more: true };
}

export function createPayloadRetentionActivities(deps: OutreachDeps) {
  return {
    /** Deletes some of the payloads whose days have passed, in transactions of 1,000. May be repeated. */
    deletePayloadsBatch: ({ now }: AsOf): Promise<DeletedPayloads> =>
      withHeartbeat((cancelled) => deleteSome(deps, new Date(now), cancelled)),
  };
}
