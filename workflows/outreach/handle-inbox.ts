import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import { type HandleInboxInput, type HandleInboxResult, inboxWakeSignal } from '../contracts/handle-inbox.ts';

const { drainInbox } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  // Other workers notice from the lease that a drain has died, and continue.
  heartbeatTimeout: '30 seconds',
  summary: 'stays while events arrive, at most 30 s',
});

/**
 * Drains one partition of the inbox. The activity stays while events arrive and a little longer, but at most half
 * a minute, so that a dead worker is noticed. A signal that arrives while it is ending keeps the run going.
 */
export async function handleInbox({ partition }: HandleInboxInput): Promise<HandleInboxResult> {
  let awake = false;
  let handled = 0;
  const wake = () => {
    awake = true;
  };
  setHandler(inboxWakeSignal, wake, { description: 'Drains the partition again: events were stored.' });
  setCurrentDetails('Handling the stored events.');
  for (;;) {
    awake = false;
    const drained = await drainInbox({ partition });
    handled += drained.handled;
    setCurrentDetails(`This run handled ${handled} events.`);
    if (drained.idle && !awake) return { handled };
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof handleInbox>({ partition });
  }
}
