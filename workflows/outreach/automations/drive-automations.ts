import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  automationsWakeSignal,
  type DriveAutomationsInput,
  type DriveAutomationsResult,
} from '#workflows/contracts/drive-automations.ts';
import { timeLeft } from '../time-left.ts';

const { lookAtAutomations } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: 'decides who enters, and sends what is due',
});

/**
 * Drives all automations of a service number: a timer and an activity for what is due within a minute, however many contacts
 * that are. Each look decides from the rows, so any of them may be repeated.
 */
export async function driveAutomations(input: DriveAutomationsInput): Promise<DriveAutomationsResult> {
  let awake = false;
  let claimed = 0;
  const description = 'Looks at the automations now: one of them was changed.';
  const wake = () => {
    awake = true;
  };
  setHandler(automationsWakeSignal, wake, { description });
  setCurrentDetails('Looking at what is due.');
  for (;;) {
    awake = false;
    const look = await lookAtAutomations(input);
    claimed += look.claimed;
    if (look.nextLookAt === null) {
      // A signal received in the meantime may mean that the rows changed.
      if (awake) continue;
      setCurrentDetails(`Nothing is due soon. Messages for ${claimed} contacts were sent.`);
      return { claimed };
    }
    setCurrentDetails(`Looked at again at ${look.nextLookAt}.`);
    const wait = timeLeft(look.nextLookAt, look.nextLookInMs);
    if (wait > 0) await condition(() => awake, wait, { summary: 'until something is due' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof driveAutomations>(input);
  }
}
