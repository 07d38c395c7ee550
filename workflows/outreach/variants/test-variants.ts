import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { TestEvaluation } from '#activities/outreach/variants.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  type TestVariantsInput,
  type TestVariantsResult,
  variantsWakeSignal,
} from '#workflows/contracts/test-variants.ts';
import { timeLeft } from '../time-left.ts';

const { lookAtVariants } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: 'looks at the test',
});

/** Variants by their position, as staff call them: what their names are is the tenant's. */
const letterOf = (variant: number) => String.fromCharCode('A'.charCodeAt(0) + variant);

const states: Record<TestEvaluation['state'], string> = {
  paused: 'The campaign is paused, and nothing is decided meanwhile.',
  waiting: 'The platform has not begun to send every variant.',
  running: 'No variant is chosen yet.',
  asking: 'An operator has to choose.',
  decided: 'The rest is sent.',
  ended: 'Nobody waits for a variant.',
};

/** What staff read. */
function detailsOf({ state, arms, verdict, leader, chosen, nextLookAt }: TestEvaluation): string {
  const shown = arms.map(({ contacts, converted }, arm) => `${letterOf(arm)}: ${converted} of ${contacts}`);
  const ahead =
    leader === null ? '' : ` ${letterOf(leader)} is ahead (${verdict === 'proven' ? 'proven' : 'not proven'}).`;
  const taken = chosen === null ? '' : ` Variant ${letterOf(chosen)} was chosen.`;
  const next = nextLookAt === null ? '' : ` Looked at again at ${nextLookAt}.`;
  return `${states[state]}${taken}${shown.length === 0 ? '' : ` ${shown.join(', ')}.`}${ahead}${next}`;
}

/**
 * Looks at the test of a campaign's variants ever less often, until one is chosen for the rest of the audience, by the test itself
 * or by an operator, or until nobody waits for one. Each look decides from the rows, so any of them may be repeated.
 */
export async function testVariants(input: TestVariantsInput): Promise<TestVariantsResult> {
  let awake = false;
  const description = 'Looks at the test now: a variant was chosen, or the campaign changed.';
  const wake = () => {
    awake = true;
  };
  setHandler(variantsWakeSignal, wake, { description });
  setCurrentDetails('Looking at the test.');
  for (;;) {
    awake = false;
    const look = await lookAtVariants(input);
    setCurrentDetails(detailsOf(look));
    if (look.nextLookAt === null) {
      // A signal received in the meantime may mean that the campaign was resumed.
      if (awake) continue;
      return { chosen: look.chosen };
    }
    const wait = Math.max(timeLeft(look.nextLookAt, look.nextLookInMs), 100);
    await condition(() => awake, wait, { summary: 'until the test is looked at again' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof testVariants>(input);
  }
}
