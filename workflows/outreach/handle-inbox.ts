import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import { type HandleInboxInput, type HandleInboxResult, inboxWakeSignal } from '../contracts/handle-inbox.ts';

const { drainInbox } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: 'stays while events come, 30 s at most',
});

/**
 * Empties one partition of the inbox. The activity stays while events come, and a while longer; it ends after at most
 * half a minute, so that a dead worker is noticed. A signal that arrives while this ends keeps it going.
 */
export async function handleInbox({ partition }: HandleInboxInput): Promise<HandleInboxResult> {
  let awake = false;
  let handled = 0;
  const wake = () => {
    awake = true;
  };
  setHandler(inboxWakeSignal, wake, { description: 'Drains the partition once more: events were stored.' });
  setCurrentDetails('Handling the stored events.');
  for (;;) {
    awake = false;
    const drained = await drainInbox({ partition });
    handled += drained.handled;
    setCurrentDetails(`${handled} events were handled by this run.`);
    if (drained.idle && !awake) return { handled };
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof handleInbox>({ partition });
  }
}
