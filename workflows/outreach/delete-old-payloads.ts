import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { DeleteOldPayloadsResult } from '../contracts/delete-old-payloads.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { deletePayloadsBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: '50,000 payloads at most',
});

/**
 * Deletes the payloads of events 90 days after they were received, as of this run's time; the record of the
 * events is kept.
 */
export async function deleteOldPayloads(): Promise<DeleteOldPayloadsResult> {
  const now = new Date().toISOString();
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETING' }]);
  let deleted = 0;
  for (;;) {
    const batch = await deletePayloadsBatch({ now });
    deleted += batch.deleted;
    setCurrentDetails(`${deleted} payloads were older than 90 days on ${now} and have been deleted.`);
    if (!batch.more) break;
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETED' }]);
  return { deleted };
}
