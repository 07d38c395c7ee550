import { ApplicationFailure, Context } from '@temporalio/activity';
import { claimApproved } from '#commands/outreach/sends/approval/claim-approved.ts';
import { freezeTime } from '#db/outreach/sends/freezing.ts';
import { abandonSubmissions } from '#commands/outreach/sends/ledger/abandon-submissions.ts';
import {
  type ChunkRange,
  type ClaimedSubTask,
  claimSubTask,
  type DispatchKey,
  loadDispatch,
  rangeState,
  releaseClaims,
  unknownSubTasks,
  unsettledChunks,
} from '#db/outreach/sends/ledger/ledger.ts';
import { pauseLate } from '#commands/outreach/sends/ledger/pause-late.ts';
import { claimPaced } from '#commands/outreach/sends/ledger/claim-paced.ts';
import { keepBackAtDeadline } from '#commands/outreach/sends/ledger/keep-back-at-deadline.ts';
import { nextPaced } from '#db/outreach/sends/ledger/paced.ts';
import { refreshCampaignNow } from '#commands/outreach/sends/ledger/refresh-campaign.ts';
import { SUB_TASKS_PER_RANGE } from '#domain/campaigns/forecast/forecast.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { attemptOwner, runLanes, withHeartbeat } from '../concurrency.ts';
import { withJitter } from '#activities/jitter.ts';
import { type CampaignRef, type OutreachDeps, type Send, SUBMISSION_STALE_MS } from '../deps.ts';
import { lacksEntrySource } from '../entry-sources/create.ts';
import { storeInherited, type SubmissionRun, submitSubTask } from './submission.ts';
import { createUnstoredOutcomes, type UnstoredOutcomes } from './unstored.ts';

/** How many sub-tasks of an activity are in calls concurrently. */
const LANES = 8;

/** Shorter waits stay inside the activity; longer ones are the workflow's durable timers. */
const SHORT_WAIT_MS = 5000;

export interface DispatchPlan {
  status: CampaignStatus;
  /** When the audience is to be frozen, before anything else (ISO 8601); null if it is, or may not be now. */
  freezeAt: string | null;
  /** Ranges with sub-tasks that are not settled; none if the campaign may not send now. */
  ranges: ChunkRange[];
  unsettled: number;
  /** Sub-tasks with an unknown outcome; absent from plans of earlier releases. */
  unknown?: { tasks: number; contacts: number };
  /** An entry source must be created (F1) before anything is sent. */
  needsSource: boolean;
}

export interface RangeResult {
  /** When the next sub-task of the range is due (ISO 8601); null if none is left that could be sent now. */
  waitUntil: string | null;
  /** How far away that is by the clock of the worker, milliseconds. */
  waitMs?: number;
}

function toRanges(chunks: number[]): ChunkRange[] {
  return Array.from({ length: Math.ceil(chunks.length / SUB_TASKS_PER_RANGE) }, (_, index) => {
    const part = chunks.slice(index * SUB_TASKS_PER_RANGE, (index + 1) * SUB_TASKS_PER_RANGE);
    return { from: part[0] ?? 0, to: part.at(-1) ?? 0 };
  });
}

/** Permanent errors are failures of their own type; anything else is retried. */
function noSuchDispatch(key: DispatchKey): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`There is no send ${key.dispatchId}`, 'DispatchNotFound');
}

/** The late rule. */
function pauseIfLate(deps: OutreachDeps, { tenantId, campaignId, dispatchId }: CampaignRef & DispatchKey) {
  const now = deps.now();
  const startedBefore = new Date(now.getTime() - deps.settings.SCHEDULE_GRACE_MS);
  return pauseLate(deps.database, { tenantId, campaignId, dispatchId, startedBefore, now });
}

async function planDispatch(deps: OutreachDeps, send: Send): Promise<DispatchPlan> {
  const { database } = deps;
  const now = deps.now();
  const { tenantId, campaignId, dispatchId } = send;
  await pauseIfLate(deps, send);
  const status = await refreshCampaignNow(database, { tenantId, campaignId }, now);
  if (status === null) throw noSuchDispatch(send);
  const chunks = await unsettledChunks(database, { tenantId, dispatchId });
  const state = await rangeState(database, { tenantId, dispatchId, from: 0, to: 2_147_483_647, now });
  if (!state) throw noSuchDispatch(send);
  // Submissions that a dead process left behind are settled even while nothing may be sent.
  const work = state.sendable || state.submitting > 0;
  const needsSource = state.sendable && state.pending > 0 && (await lacksEntrySource(deps, send));
  const freezeAt = state.open ? await freezeTime(database, send) : null;
  const ranges = work ? toRanges(chunks) : [];
  const paused = (await deps.pacing.learnPause(tenantId)) !== null;
  return {
    status,
    freezeAt: freezeAt?.toISOString() ?? null,
    unsettled: chunks.length,
    unknown: await unknownSubTasks(database, send),
    // In a pause, and at a pace, all of them would return the same time.
    ranges: paused || state.paced ? ranges.slice(0, 1) : ranges,
    needsSource,
  };
}

/** Not all lanes return at once when a pause is over. */
function afterPause(due: Date, pausedUntil: Date | null, now: Date): Date {
  if (!pausedUntil) return due;
  const until = now.getTime() + withJitter(pausedUntil.getTime() - now.getTime());
  return new Date(Math.max(due.getTime(), until));
}

const latestOf = (due: Date, paced: Date | null) => (paced !== null && paced > due ? paced : due);

async function waitOf(deps: OutreachDeps, range: DispatchKey & ChunkRange): Promise<Date | null> {
  const state = await rangeState(deps.database, { ...range, now: deps.now() });
  if (!state) throw noSuchDispatch(range);
  const pausedUntil = deps.pacing.pausedUntil(range.tenantId);
  const paced = state.paced ? await nextPaced(deps.database, range, deps.now()) : null;
  const candidates = [
    state.sendable && state.nextAttemptAt
      ? afterPause(latestOf(state.nextAttemptAt, paced), pausedUntil, deps.now())
      : null,
    state.submittingSince ? new Date(state.submittingSince.getTime() + SUBMISSION_STALE_MS) : null,
  ].filter((time) => time !== null);
  return candidates.length === 0 ? null : new Date(Math.min(...candidates.map((time) => time.getTime())));
}

/** Applies the late rule once to a send that becomes late while it is submitted, before anything else is claimed. */
async function stopLate(deps: OutreachDeps, run: SubmissionRun): Promise<void> {
  const { scheduledAt, lateAt } = run.content;
  if (scheduledAt === null || lateAt !== null) return;
  if (deps.now().getTime() - scheduledAt.getTime() <= deps.settings.SCHEDULE_GRACE_MS) return;
  run.round.late ??= pauseIfLate(deps, run.content);
  await run.round.late;
}

/** The first claim of a round decides whether the campaign may go out, if nobody has; the others wait for it. */
async function claimNext(
  { database, now }: OutreachDeps,
  range: DispatchKey & ChunkRange,
  { content, owner, round }: SubmissionRun,
): Promise<ClaimedSubTask | null> {
  const claim = content.pace ? claimPaced : claimSubTask;
  if (round.first === null) {
    const first = claimApproved(database, claim, { ...range, owner, now: now() });
    round.first = first.catch(() => null);
    return await first;
  }
  await round.first;
  return await claim(database, { ...range, owner, now: now() });
}

/** Claims a sub-task only once it may be submitted. @returns false if none is due, or none may be submitted now. */
async function submitNext(
  deps: OutreachDeps,
  range: DispatchKey & ChunkRange,
  run: SubmissionRun,
  signal: AbortSignal,
): Promise<boolean> {
  const turn = await deps.pacing.turn(range.tenantId, { signal });
  if (!turn) return false;
  let claimed: ClaimedSubTask | null = null;
  try {
    await stopLate(deps, run);
    // An activity that was cancelled meanwhile claims nothing new.
    if (!signal.aborted) claimed = await claimNext(deps, range, run);
    if (claimed) await submitSubTask(deps, run, claimed);
  } finally {
    if (claimed) turn.end();
    else turn.giveBack();
  }
  return claimed !== null;
}

async function submitAll(
  deps: OutreachDeps,
  range: DispatchKey & ChunkRange,
  run: SubmissionRun,
  cancelled: AbortSignal,
): Promise<void> {
  const { owner, unstored, called } = run;
  try {
    await runLanes(Math.min(LANES, range.to - range.from + 1), async () => {
      while (!cancelled.aborted && (await submitNext(deps, range, run, cancelled)));
    });
  } catch (error) {
    // A claim whose commit was not confirmed may have taken effect, and no call followed it. Where one did, the outcome decides.
    const except = [...called, ...unstored.list().map(({ key }) => key)];
    await unstored.persist(null, () => releaseClaims(deps.database, { ...range, owner, except, now: deps.now() }));
    throw error;
  }
}

/** Submits what is due of a range, and waits for what is due soon. */
export async function submitRange(
  deps: OutreachDeps,
  range: DispatchKey & ChunkRange,
  cancelled: AbortSignal,
  unstored: UnstoredOutcomes,
): Promise<RangeResult> {
  const { tenantId, dispatchId } = range;
  const load = async () => {
    const content = await loadDispatch(deps.database, { tenantId, dispatchId });
    if (!content) throw noSuchDispatch(range);
    return content;
  };
  let content = await load();
  const more = {
    credentials: deps.pacing.credentials(tenantId),
    owner: attemptOwner(),
    unstored,
    called: new Set<string>(),
  };
  await storeInherited(deps, { content, ...more });
  for (;;) {
    const now = deps.now();
    const before = new Date(now.getTime() - SUBMISSION_STALE_MS);
    const repeatable = deps.settings.PLATFORM_A1_IDEMPOTENT;
    await abandonSubmissions(deps.database, { ...range, before, repeatable, now });
    if (content.pace?.deadline !== undefined)
      await keepBackAtDeadline(deps.database, { tenantId, campaignId: content.campaignId, now });
    await submitAll(deps, range, { content, ...more, round: { first: null, late: null } }, cancelled);
    if (cancelled.aborted) await Context.current().cancelled;
    const waitUntil = await waitOf(deps, range);
    if (!waitUntil) return { waitUntil: null };
    const wait = waitUntil.getTime() - deps.now().getTime();
    if (wait > SHORT_WAIT_MS) return { waitUntil: waitUntil.toISOString(), waitMs: wait };
    await deps.sleep(Math.max(wait, 10), cancelled).catch(() => Context.current().cancelled);
    // It may have another pace now.
    content = await load();
  }
}

/** Activities of dispatchCampaign. Inputs and results are ids, counts and times; contents stay in the database. */
export function createDispatchActivities(deps: OutreachDeps) {
  return {
    /** Applies the late rule, and returns which ranges of sub-tasks are left. */
    planDispatch: (send: Send): Promise<DispatchPlan> => planDispatch(deps, send),

    /** Submits what is due in the range, each sub-task once, until nothing is left or the next is due later. */
    submitBroadcasts: ({ tenantId, dispatchId, from, to }: DispatchKey & ChunkRange): Promise<RangeResult> => {
      const unstored = createUnstoredOutcomes(deps);
      const range = { tenantId, dispatchId, from, to };
      return withHeartbeat((cancelled) => submitRange(deps, range, cancelled, unstored), { details: unstored.list });
    },

    /** Starts polling the campaign's tasks, or wakes the running poll. */
    watchCampaign: async ({ tenantId, campaignId }: CampaignRef): Promise<void> => {
      await deps.launcher.polling({ tenantId, campaignId }, { wake: true });
    },
  };
}
