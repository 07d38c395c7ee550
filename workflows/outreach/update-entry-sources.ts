import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import {
  updateSourcesWakeSignal,
  type UpdateEntrySourcesInput,
  type UpdateEntrySourcesResult,
} from '../contracts/update-entry-sources.ts';

const { tellEntrySources } = proxyActivities<OutreachActivities>(activityProfiles.remote);

/** Tells the platform the new name or end of a sent campaign's entry sources (F2), until it knows them. */
export async function updateEntrySources(input: UpdateEntrySourcesInput): Promise<UpdateEntrySourcesResult> {
  let awake = false;
  setHandler(updateSourcesWakeSignal, () => {
    awake = true;
  });
  let updated = 0;
  setCurrentDetails('The entry sources are being updated at the platform.');
  do {
    awake = false;
    updated += (await tellEntrySources(input)).updated;
  } while (awake);
  setCurrentDetails(`The platform knows name and end: ${updated} updates.`);
  return { updated };
}
