import { evaluateSteps, type StepEvaluation } from '#commands/outreach/steps/evaluate-steps.ts';
import { orphanedSteps } from '#db/outreach/steps/steps.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { CampaignRef, OutreachDeps } from '../deps.ts';
import { forEachAlone } from '../each-alone.ts';
import { type NextLook, toNextLook } from '../next-look.ts';
import { wakeSends } from '../sends/drive.ts';

/** An evaluation of the steps of a campaign. */
export type StepEvaluationResult = Pick<StepEvaluation, 'state' | 'position' | 'steps' | 'reason'> &
  NextLook & {
    /** The campaign that this evaluation sent the step as. */
    campaignId: string | null;
  };

type StepDeps = Pick<OutreachDeps, 'database' | 'launcher' | 'log' | 'now'>;

/** Longer than a timer and its workflow take to evaluate. */
const OVERDUE_AFTER_MS = 30_000;

const AT_ONCE = 200;

async function look(deps: StepDeps, { tenantId, campaignId }: CampaignRef): Promise<StepEvaluationResult> {
  const { database, launcher, log, now } = deps;
  const { state, position, steps, reason, previousId, send, nextLookAt } = await evaluateSteps(
    database,
    { tenantId, campaignId },
    now(),
  );
  try {
    if (send) await launcher.dispatch({ tenantId, ...send }, { wake: true });
    // Where an earlier attempt had stored a send, and did not get as far.
    else if (previousId !== null && previousId !== campaignId)
      await wakeSends(deps, { tenantId, campaignId: previousId });
  } catch (error) {
    log.warn({ err: error, campaignId }, 'the send of a step could not be started; the sweep will start it');
  }
  const sentAs = send?.campaignId ?? null;
  return { state, position, steps, reason, campaignId: sentAs, ...toNextLook(nextLookAt, now()) };
}

export function createStepActivities(deps: StepDeps) {
  return {
    /** Evaluates the next step of a campaign, and sends it if it is due. Safe to repeat: each step is decided once. */
    lookAtSteps: (campaign: CampaignRef): Promise<StepEvaluationResult> => withHeartbeat(() => look(deps, campaign)),
  };
}

/** Starts or wakes the workflows of steps whose evaluation is overdue. */
export function createStepSweep(deps: StepDeps): () => Promise<void> {
  const { database, launcher, log, now } = deps;
  return async () => {
    const before = new Date(now().getTime() - OVERDUE_AFTER_MS);
    const neglected = await orphanedSteps(database, { before, limit: AT_ONCE });
    await forEachAlone(deps, neglected, async (campaign) => void (await launcher.steps(campaign, { wake: true })));
    if (neglected.length > 0) log.warn({ campaigns: neglected.length }, 'the sweep restarts the evaluation of steps');
  };
}
