import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import {
  updateSourcesWakeSignal,
  type UpdateEntrySourcesInput,
  type UpdateEntrySourcesResult,
} from '../contracts/update-entry-sources.ts';

const { tellEntrySources } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'tells name and end (F2)',
});

/** Tells the platform the new name or end of a sent campaign's entry sources (F2), until it knows them. */
export async function updateEntrySources(input: UpdateEntrySourcesInput): Promise<UpdateEntrySourcesResult> {
  let awake = false;
  const wake = () => {
    awake = true;
  };
  setHandler(updateSourcesWakeSignal, wake, {
    description: 'Tells the platform again: name or end changed once more.',
  });
  let updated = 0;
  let refusal: string | undefined;
  setCurrentDetails('The entry sources are being updated at the platform.');
  do {
    awake = false;
    const told = await tellEntrySources(input);
    updated += told.updated;
    refusal = told.refusal;
  } while (awake);
  setCurrentDetails(
    refusal === undefined
      ? `The platform knows name and end: ${updated} updates.`
      : `The platform refused the new name or end. ${refusal}`,
  );
  return { updated };
}
