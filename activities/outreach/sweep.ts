import { endedCampaigns, unfinishedSources } from '../../db/outreach/sends/closing.ts';
import { keepBackAtDeadline, passedDeadlines } from '../../db/outreach/sends/ledger/paced.ts';
import { orphanedPartitions, orphanedPolls, orphanedSends } from '../../db/outreach/sends/ledger/sweep.ts';
import { orphanedTests } from '../../db/outreach/sends/variants/looking.ts';
import { endingWorkflows, forgetWorkflow } from '../../db/outreach/tenants/uninstall.ts';
import { forEachLimited } from './concurrency.ts';
import { type OutreachDeps, SUBMISSION_STALE_MS } from './deps.ts';
import { createErasureContinuation } from './erasures.ts';
import { createJobResumers } from './left-work.ts';
import { createReachBuilder } from './reach.ts';
import { createStepSweep } from './steps/steps.ts';
import { createRepeatSweep } from './repeats/repeats.ts';

/** Longer than any healthy workflow takes to read its rows. */
const NEGLECTED_AFTER_MS = SUBMISSION_STALE_MS + 10_000;
const STORED_EVENTS_AFTER_MS = 5000;
const TEST_LOOKS_AFTER_MS = 10_000;

/** Workflows started by one sweep; the next one continues. */
const STARTED_AT_MOST = 200;

/** Workflows of uninstalled tenants ended by one sweep; the next one continues. */
const ENDED_AT_MOST = 2000;

export interface SweepCounts {
  dispatches: number;
  polls: number;
  partitions: number;
  closings: number;
  sourceUpdates: number;
  variantTests: number;
}

/** Campaigns whose end has passed, and entry sources with changes to report to the platform. */
async function sweepSources({ database, launcher, now }: OutreachDeps, counts: SweepCounts): Promise<void> {
  await forEachLimited(await endedCampaigns(database, { now: now(), limit: STARTED_AT_MOST }), 10, async (campaign) => {
    if ((await launcher.closing(campaign, { wake: false })) === 'started') counts.closings += 1;
  });
  await forEachLimited(await unfinishedSources(database, { limit: STARTED_AT_MOST }), 10, async (campaign) => {
    const ends = campaign.status === 'closed' || campaign.status === 'cancelled';
    const start = ends ? launcher.closing : launcher.sourceUpdates;
    if ((await start(campaign, { wake: false })) === 'started') counts[ends ? 'closings' : 'sourceUpdates'] += 1;
  });
}

/** Variant tests whose evaluation is overdue. */
async function sweepTests({ database, launcher, now }: OutreachDeps, counts: SweepCounts): Promise<void> {
  const before = new Date(now().getTime() - TEST_LOOKS_AFTER_MS);
  await forEachLimited(await orphanedTests(database, { before, limit: STARTED_AT_MOST }), 10, async (campaign) => {
    if ((await launcher.variantTest(campaign, { wake: false })) === 'started') counts.variantTests += 1;
  });
}

/** Deadlines that pass while only the rest of a test is left, which nothing submits. */
async function sweepDeadlines({ database, now }: OutreachDeps): Promise<void> {
  const passed = await passedDeadlines(database, { now: now(), limit: STARTED_AT_MOST });
  for (const campaign of passed) await keepBackAtDeadline(database, { ...campaign, now: now() });
}

/** Ends what uninstalled tenants left running. What fails stays noted for the next sweep. */
async function endWorkflows({ database, launcher, log }: OutreachDeps): Promise<void> {
  for (let ended = 0; ended < ENDED_AT_MOST; ended += STARTED_AT_MOST) {
    const workflows = await endingWorkflows(database, { limit: STARTED_AT_MOST });
    await forEachLimited(workflows, 16, async (workflow) => {
      await launcher.end(workflow);
      await forgetWorkflow(database, workflow);
    });
    if (workflows.length > 0) log.info({ workflows: workflows.length }, 'ended workflows of uninstalled tenants');
    if (workflows.length < STARTED_AT_MOST) return;
  }
}

async function sweep(deps: OutreachDeps, continueLeft: (() => Promise<void>)[]): Promise<SweepCounts> {
  const { database, launcher, log, now } = deps;
  const before = new Date(now().getTime() - NEGLECTED_AFTER_MS);
  const sends = await orphanedSends(database, { before, limit: STARTED_AT_MOST });
  const polls = await orphanedPolls(database, { before, limit: STARTED_AT_MOST });
  const partitions = await orphanedPartitions(database, {
    before: new Date(now().getTime() - STORED_EVENTS_AFTER_MS),
  });
  const counts: SweepCounts = {
    dispatches: 0,
    polls: 0,
    partitions: partitions.length,
    closings: 0,
    sourceUpdates: 0,
    variantTests: 0,
  };
  await forEachLimited(sends, 10, async (send) => {
    if ((await launcher.dispatch(send, { wake: false })) === 'started') counts.dispatches += 1;
  });
  await forEachLimited(polls, 10, async (campaign) => {
    if ((await launcher.polling(campaign, { wake: false })) === 'started') counts.polls += 1;
  });
  for (const partition of partitions) await launcher.inbox(partition);
  await sweepSources(deps, counts);
  await sweepTests(deps, counts);
  await sweepDeadlines(deps);
  await endWorkflows(deps);
  for (const continueWork of continueLeft) await continueWork();
  if (counts.dispatches + counts.polls > 0) log.warn(counts, 'the sweep started workflows that were missing');
  return counts;
}

export function createSweepActivities(deps: OutreachDeps) {
  const continueLeft = [
    createErasureContinuation(deps),
    ...createJobResumers(deps),
    createReachBuilder(deps),
    createRepeatSweep(deps),
    createStepSweep(deps),
  ];
  return {
    /**
     * Starts the workflows that are missing according to the rows. If several sweeps run at once, the launcher lets
     * one start each.
     */
    sweepOutreachRows: (): Promise<SweepCounts> => sweep(deps, continueLeft),
  };
}
