import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { StepEvaluationResult } from '#activities/outreach/steps/steps.ts';
import { activityProfiles } from '#temporal.config.ts';
import { type FollowStepsInput, type FollowStepsResult, stepsWakeSignal } from '#workflows/contracts/follow-steps.ts';
import { timeLeft } from '../time-left.ts';

const { lookAtSteps } = proxyActivities<OutreachActivities>({
  // Freezing what fits into one page is part of its transaction. A killed worker's look is repeated after ten seconds, which the
  // heartbeats tell, and not once it would have taken too long.
  ...activityProfiles.drain,
  startToCloseTimeout: '2 minutes',
  summary: 'looks at the next step, and sends it if it is due',
});

const states: Record<StepEvaluationResult['state'], string> = {
  submission: 'waits until the message before it is submitted to everybody.',
  time: 'waits for its time.',
  outcome: 'is due, and waits until the platform has finished the message before it.',
  inbox: 'is due, and waits for clicks that have arrived.',
  paused: 'is paused.',
  sent: 'was sent.',
  approval: 'was sent, and waits for approval.',
  skipped: 'was skipped',
  cancelled: 'was cancelled',
  ended: '',
};

/** What staff read. */
function detailsOf({ state, position, steps, reason, campaignId, nextLookAt }: StepEvaluationResult): string {
  if (position === null) return 'No step is left.';
  const what = `Step ${position} of ${steps} ${states[state]}`;
  const why = reason === null ? '' : `: ${reason}.`;
  const as = campaignId === null ? '' : ` Its campaign is ${campaignId}.`;
  const next =
    state === 'paused' ? '' : nextLookAt === null ? ' No step is left.' : ` Looked at again at ${nextLookAt}.`;
  return `${what}${why}${as}${next}`;
}

/**
 * Sends the steps of a campaign, each when it is due, with one timer for most. Each look decides from the rows, so any of them
 * may be repeated.
 */
export async function followSteps(input: FollowStepsInput): Promise<FollowStepsResult> {
  let awake = false;
  let sent = 0;
  const description = 'Looks at the next step now: some were cancelled, or the campaign changed.';
  const wake = () => {
    awake = true;
  };
  setHandler(stepsWakeSignal, wake, { description });
  setCurrentDetails('Looking at the first step.');
  for (;;) {
    awake = false;
    const look = await lookAtSteps(input);
    if (look.state === 'sent' || look.state === 'approval') sent += 1;
    if (look.position !== null || sent === 0) setCurrentDetails(detailsOf(look));
    if (look.nextLookAt === null) {
      // A signal received in the meantime may mean that the rows changed.
      if (awake) continue;
      return { sent };
    }
    const wait = timeLeft(look.nextLookAt, look.nextLookInMs);
    if (wait > 0) await condition(() => awake, wait, { summary: `until step ${look.position} is looked at again` });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof followSteps>(input);
  }
}
