import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { ScanNoResponseResult } from '../contracts/scan-no-response.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { scanNoResponseBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: '50 sub-tasks at most',
});

/**
 * Applies the no-response rules, batch by batch and as of this run's time, to every sub-task whose contacts have
 * had their days. Sub-tasks that still have to wait (events up to their cut-off are not yet handled) are left to
 * the next run.
 */
export async function scanNoResponse(): Promise<ScanNoResponseResult> {
  const now = new Date().toISOString();
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'SCANNING' }]);
  let scanned = 0;
  let tagged = 0;
  for (;;) {
    const batch = await scanNoResponseBatch({ now });
    scanned += batch.scanned;
    tagged += batch.tagged;
    setCurrentDetails(`As of ${now}, ${tagged} contacts of ${scanned} sub-tasks had not responded in time.`);
    if (!batch.more) break;
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'SCANNED' }]);
  return { scanned, tagged };
}
