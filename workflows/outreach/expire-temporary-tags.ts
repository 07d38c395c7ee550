import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { ExpireTemporaryTagsResult } from '../contracts/expire-temporary-tags.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { expireTagsBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: '500 tags at most',
});

/** Marks tags whose time has passed as expired, batch by batch. This run's clock is passed on: it decides. */
export async function expireTemporaryTags(): Promise<ExpireTemporaryTagsResult> {
  const now = new Date().toISOString();
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'EXPIRING' }]);
  let expired = 0;
  for (;;) {
    const batch = await expireTagsBatch({ now });
    expired += batch.expired;
    setCurrentDetails(`${expired} tags have expired by ${now}.`);
    if (!batch.more) break;
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'EXPIRED' }]);
  return { expired };
}
