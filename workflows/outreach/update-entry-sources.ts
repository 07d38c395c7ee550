import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  updateSourcesWakeSignal,
  type UpdateEntrySourcesInput,
  type UpdateEntrySourcesResult,
} from '../contracts/update-entry-sources.ts';

const { tellEntrySources } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'sends name and end (F2)',
});

/** Sends the new name or end of a sent campaign's entry sources to the platform (F2) until it has them. */
export async function updateEntrySources(input: UpdateEntrySourcesInput): Promise<UpdateEntrySourcesResult> {
  let awake = false;
  const wake = () => {
    awake = true;
  };
  setHandler(updateSourcesWakeSignal, wake, {
    description: 'Updates the platform again: the name or end changed again.',
  });
  let updated = 0;
  let refusal: string | undefined;
  setCurrentDetails('Updating the entry sources on the platform.');
  do {
    awake = false;
    const told = await tellEntrySources(input);
    updated += told.updated;
    refusal = told.refusal;
  } while (awake);
  setCurrentDetails(
    refusal === undefined
      ? `The platform has the current name and end after ${updated} updates.`
      : `The platform rejected the new name or end. ${refusal}`,
  );
  return { updated };
}
