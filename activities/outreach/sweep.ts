import { endedCampaigns, unfinishedSources } from '#db/outreach/sends/closing.ts';
import { keepBackAtDeadline } from '#commands/outreach/sends/ledger/keep-back-at-deadline.ts';
import { passedDeadlines } from '#db/outreach/sends/ledger/paced.ts';
import { orphanedPartitions, orphanedPolls, orphanedSends } from '#db/outreach/sends/ledger/sweep.ts';
import { orphanedTests } from '#db/outreach/sends/variants/evaluation.ts';
import { endingWorkflows, forgetWorkflow } from '#db/outreach/tenants/uninstall.ts';
import { createAutomationSweep } from './automations/automations.ts';
import { forEachLimited } from './concurrency.ts';
import { type OutreachDeps, SUBMISSION_STALE_MS } from './deps.ts';
import { forEachAlone, runParts } from './each-alone.ts';
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
async function sweepSources(deps: OutreachDeps, counts: SweepCounts): Promise<void> {
  const { database, launcher, now } = deps;
  await forEachAlone(deps, await endedCampaigns(database, { now: now(), limit: STARTED_AT_MOST }), async (campaign) => {
    if ((await launcher.closing(campaign, { wake: false })) === 'started') counts.closings += 1;
  });
  await forEachAlone(deps, await unfinishedSources(database, { limit: STARTED_AT_MOST }), async (campaign) => {
    const ends = campaign.status === 'closed' || campaign.status === 'cancelled';
    const start = ends ? launcher.closing : launcher.sourceUpdates;
    if ((await start(campaign, { wake: false })) === 'started') counts[ends ? 'closings' : 'sourceUpdates'] += 1;
  });
}

/** Variant tests whose evaluation is overdue. */
async function sweepTests(deps: OutreachDeps, counts: SweepCounts): Promise<void> {
  const { database, launcher, now } = deps;
  const before = new Date(now().getTime() - TEST_LOOKS_AFTER_MS);
  await forEachAlone(deps, await orphanedTests(database, { before, limit: STARTED_AT_MOST }), async (campaign) => {
    if ((await launcher.variantTest(campaign, { wake: false })) === 'started') counts.variantTests += 1;
  });
}

/** Deadlines that pass while only the rest of a test is left, which nothing submits. */
async function sweepDeadlines(deps: OutreachDeps): Promise<void> {
  const { database, now } = deps;
  const passed = await passedDeadlines(database, { now: now(), limit: STARTED_AT_MOST });
  await forEachAlone(deps, passed, (campaign) => keepBackAtDeadline(database, { ...campaign, now: now() }));
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

/** Sends with sub-tasks to submit, and tasks to poll. */
async function sweepSends(deps: OutreachDeps, counts: SweepCounts): Promise<void> {
  const { database, launcher, now } = deps;
  const before = new Date(now().getTime() - NEGLECTED_AFTER_MS);
  await forEachAlone(deps, await orphanedSends(database, { before, limit: STARTED_AT_MOST }), async (send) => {
    if ((await launcher.dispatch(send, { wake: false })) === 'started') counts.dispatches += 1;
  });
  await forEachAlone(deps, await orphanedPolls(database, { before, limit: STARTED_AT_MOST }), async (campaign) => {
    if ((await launcher.polling(campaign, { wake: false })) === 'started') counts.polls += 1;
  });
}

/** Partitions of the inbox with events that wait. */
async function sweepInbox(deps: OutreachDeps, counts: SweepCounts): Promise<void> {
  const { database, launcher, now } = deps;
  const before = new Date(now().getTime() - STORED_EVENTS_AFTER_MS);
  const partitions = await orphanedPartitions(database, { before });
  counts.partitions = partitions.length;
  for (const partition of partitions) await launcher.inbox(partition);
}

async function sweep(deps: OutreachDeps, continueLeft: (() => Promise<void>)[]): Promise<SweepCounts> {
  const counts: SweepCounts = {
    dispatches: 0,
    polls: 0,
    partitions: 0,
    closings: 0,
    sourceUpdates: 0,
    variantTests: 0,
  };
  await runParts(deps, [
    () => sweepSends(deps, counts),
    () => sweepInbox(deps, counts),
    () => sweepSources(deps, counts),
    () => sweepTests(deps, counts),
    () => sweepDeadlines(deps),
    () => endWorkflows(deps),
    ...continueLeft,
  ]);
  if (counts.dispatches + counts.polls > 0) deps.log.warn(counts, 'the sweep started workflows that were missing');
  return counts;
}

export function createSweepActivities(deps: OutreachDeps) {
  const continueLeft = [
    createErasureContinuation(deps),
    ...createJobResumers(deps),
    createReachBuilder(deps),
    createRepeatSweep(deps),
    createStepSweep(deps),
    createAutomationSweep(deps),
  ];
  return {
    /**
     * Starts the workflows that are missing according to the rows. If several sweeps run at once, the launcher lets
     * one start each.
     */
    sweepOutreachRows: (): Promise<SweepCounts> => sweep(deps, continueLeft),
  };
}
