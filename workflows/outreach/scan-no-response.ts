import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { ScanNoResponseResult } from '../contracts/scan-no-response.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { scanNoResponseBatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: '50 sub-tasks at most',
});

/**
 * Applies the no-response rules to every sub-task whose contacts had their days, batch by batch, as of this run's time.
 * What still has to wait (events up to its cut-off are not handled) is left to the next run.
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
    setCurrentDetails(`${tagged} contacts of ${scanned} sub-tasks did not respond in time, as of ${now}.`);
    if (!batch.more) break;
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'SCANNED' }]);
  return { scanned, tagged };
}
