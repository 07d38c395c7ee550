import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { ApplyRetentionResult } from '../contracts/apply-retention.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { turnMonths } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: 'Adds coming months, drops old ones',
});
const { deleteExpiredBatch, deleteUninstalledBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: '500,000 rows at most',
});

type Batch = typeof deleteExpiredBatch | typeof deleteUninstalledBatch;

async function deleteAll(batch: Batch, now: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await batch({ now });
    deleted += some.deleted;
    if (!some.more) return deleted;
  }
}

/**
 * Adds the partitions of the coming months, and drops or deletes what was kept for as long as its retention says, as of
 * this run's time.
 */
export async function applyRetention(): Promise<ApplyRetentionResult> {
  const now = new Date().toISOString();
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETING' }]);
  const { added, dropped, kept } = await turnMonths({ now });
  setCurrentDetails(
    `${added.length} partitions added, ${dropped.length} dropped; ${kept.length} are still needed${kept.length > 0 ? `: ${kept.join(', ')}` : ''}.`,
  );
  const deleted = await deleteAll(deleteExpiredBatch, now);
  const deletedUninstalled = await deleteAll(deleteUninstalledBatch, now);
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'DELETED' }]);
  return { added, dropped, deleted, deletedUninstalled };
}
