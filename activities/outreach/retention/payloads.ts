import { deletePayloads } from '#db/outreach/retention/payloads.ts';
import { keptSince, retentionOf } from '#domain/retention.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { AsOf, OutreachDeps } from '../deps.ts';
import { type DeletedRows, deleteRepeatedly } from './batch.ts';

/** Kept small, since events keep arriving in the meantime. */
const PAYLOADS_PER_TRANSACTION = 1000;
const TRANSACTIONS_PER_BATCH = 50;

export function createPayloadRetentionActivities({ database, settings }: OutreachDeps) {
  return {
    /** Deletes some of the payloads whose retention has passed, in transactions of 1,000. Safe to repeat. */
    deletePayloadsBatch: ({ now }: AsOf): Promise<DeletedRows> =>
      withHeartbeat((cancelled) => {
        const before = keptSince(retentionOf(settings).events, new Date(now));
        const deleteSome = () => deletePayloads(database, { before, limit: PAYLOADS_PER_TRANSACTION });
        return deleteRepeatedly(deleteSome, { atMost: TRANSACTIONS_PER_BATCH, cancelled });
      }),
  };
}
