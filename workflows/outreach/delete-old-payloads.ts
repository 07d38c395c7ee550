import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { DeleteOldPayloadsResult } from '../contracts/delete-old-payloads.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { deletePayloadsBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: '50,000 payloads at most',
});

/** Deletes what events brought with them, 90 days after they came; that they came stays known. As of this run's time. */
export async function deleteOldPayloads(): Promise<DeleteOldPayloadsResult> {
  const now = new Date().toISOString();
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETING' }]);
  let deleted = 0;
  for (;;) {
    const batch = await deletePayloadsBatch({ now });
    deleted += batch.deleted;
    setCurrentDetails(`${deleted} payloads were older than 90 days on ${now}, and are deleted.`);
    if (!batch.more) break;
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETED' }]);
  return { deleted };
}
