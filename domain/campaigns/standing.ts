import type { CampaignStatus, PauseReason } from '../api/campaign.ts';
import { maySend } from '../sends/claim.ts';
import { type SweepRuns, workerReasons, workerTrouble } from '../recurring/sweep.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * What a campaign can be at, and for how many milliseconds that may go on without any progress. `choice`: an operator has to
 * choose a variant; `adoption`: the
 * database was started elsewhere, and nothing is sent until somebody takes it over, which no time makes right; `platform`: every task is at the platform, which reports how far it is; `unknown`: an operator has to find out what became of sub-tasks.
 */
export const campaignPhaseMs = {
  approval: HOUR,
  paused: 24 * HOUR,
  choice: HOUR,
  adoption: 0,
  change: 2 * MINUTE,
  cancel: 2 * MINUTE,
  prepare: 2 * MINUTE,
  submit: 2 * MINUTE,
  poll: 2 * MINUTE,
  platform: 30 * MINUTE,
  unknown: 15 * MINUTE,
} as const;
export type CampaignPhase = keyof typeof campaignPhaseMs;
export const campaignPhases = Object.keys(campaignPhaseMs) as [CampaignPhase, ...CampaignPhase[]];

/** How every call about a sub-task has failed since its last success. */
export const callFailures = ['no_response', 'error', 'unauthorized'] as const;
export type CallFailure = (typeof callFailures)[number];

export const campaignReasons = [
  'approval',
  'operator',
  'unauthorized',
  'late',
  'deadline',
  'choice',
  'adoption',
  'platform_pause',
  'platform_no_response',
  'platform_error',
  'platform_unauthorized',
  'platform_unchanged',
  ...workerReasons,
  'outcome_unknown',
  'unexplained',
] as const;
export type CampaignReason = (typeof campaignReasons)[number];

/** Who ends it: the tenant's own people, a partner that will by itself, or those who run the service. */
export type WaitsFor = 'people' | 'partner' | 'service';

export const campaignWaitsFor: Record<CampaignReason, WaitsFor> = {
  approval: 'people',
  operator: 'people',
  unauthorized: 'people',
  late: 'people',
  deadline: 'people',
  choice: 'people',
  adoption: 'service',
  platform_pause: 'partner',
  platform_no_response: 'service',
  platform_error: 'service',
  platform_unauthorized: 'service',
  platform_unchanged: 'partner',
  worker_away: 'service',
  engine_away: 'service',
  outcome_unknown: 'people',
  unexplained: 'service',
};

/** Since when every call about sub-tasks of one kind has failed. */
export interface Failing {
  since: Date;
  with: CallFailure;
}

/** What a campaign's rows say about its work. */
export interface CampaignWork {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  /** When its row last changed; a person's command counts as progress. */
  changedAt: Date;
  /** Since when its send waits to be approved. */
  approvalSince: Date | null;
  /** Since when an operator has to choose the variant that the rest gets. */
  choiceSince: Date | null;
  /** Since when a change waits for tasks to be cancelled. */
  editSince: Date | null;
  /** When its audience began to be put into sub-tasks, or was last; null if none is. */
  preparedAt: Date | null;
  /** Of the oldest sub-task that is not settled; null if there is none. */
  unsubmittedSince: Date | null;
  unsubmittedFailing: Failing | null;
  /** When the next sub-task is due by the campaign's pace; null if it has none. */
  pacedUntil: Date | null;
  /** When the platform last accepted, or a sub-task last ended. */
  settledAt: Date | null;
  /** Tasks that the platform has not ended. */
  openTasks: number;
  /** Of those, the ones that the platform has not begun. */
  scheduledTasks: number;
  openFailing: Failing | null;
  /** When the first of them should be asked about. */
  pollDueAt: Date | null;
  /** When the platform last reported something new about any task. */
  reportedAt: Date | null;
  /** The newest scheduled time that has come. */
  begunAt: Date | null;
  unknownSince: Date | null;
  /** Until when the platform asked not to be called; may be in the past. */
  pausedUntil: Date | null;
  /** Whether its database was started elsewhere before, and nobody has taken it over. */
  startedElsewhere: boolean;
}

export interface CampaignStanding {
  phase: CampaignPhase;
  reason: CampaignReason;
  /** When the campaign last made progress. */
  since: Date;
  /** For how long the phase may go on without. */
  expectedMs: number;
  /** Since when the reason holds, if the rows say so. */
  reasonSince: Date | null;
  /** When it ends by itself, if that is known. */
  until: Date | null;
}

type Cause = Pick<CampaignStanding, 'reason'> & Partial<Pick<CampaignStanding, 'reasonSince' | 'until'>>;

interface Wait {
  phase: CampaignPhase;
  /** Null where the campaign is not at it. */
  since: Date | null;
  cause(): Cause;
}

const latest = (first: Date, ...others: (Date | null)[]): Date =>
  others.reduce<Date>((last, time) => (time !== null && time > last ? time : last), first);

/** Why what the worker and the platform should do is not done; the rows know of a failing call only what a worker made. */
function machineCause(failing: Failing | null, { pausedUntil }: CampaignWork, sweep: SweepRuns, now: Date): Cause {
  const trouble = workerTrouble(sweep, now);
  if (trouble) return { reason: trouble.reason, reasonSince: trouble.since };
  if (pausedUntil && pausedUntil > now) return { reason: 'platform_pause', until: pausedUntil };
  if (failing) return { reason: `platform_${failing.with}`, reasonSince: failing.since };
  return { reason: 'unexplained' };
}

/** Everything that waits for a person. */
function waitsForPeople(work: CampaignWork): Wait[] {
  const { status, pauseReason, changedAt, approvalSince, choiceSince, cancelRequested } = work;
  const paused = status === 'paused' && pauseReason !== null && pauseReason !== 'approval' ? pauseReason : null;
  return [
    { phase: 'approval', since: approvalSince, cause: () => ({ reason: 'approval' }) },
    { phase: 'paused', since: paused && changedAt, cause: () => ({ reason: paused ?? 'unexplained' }) },
    { phase: 'choice', since: cancelRequested ? null : choiceSince, cause: () => ({ reason: 'choice' }) },
  ];
}

/** Everything that the worker has to do. */
function waitsForWorker(work: CampaignWork, sweep: SweepRuns, now: Date): Wait[] {
  const { changedAt, settledAt, editSince, preparedAt, unsubmittedSince, pacedUntil, openFailing, pollDueAt } = work;
  const sends = maySend({ ...work, isBeingChanged: editSince !== null });
  const isCancelling = work.cancelRequested && work.scheduledTasks > 0;
  const because = (failing: Failing | null) => () => machineCause(failing, work, sweep, now);
  const submitSince = sends && unsubmittedSince ? latest(unsubmittedSince, settledAt, changedAt, pacedUntil) : null;
  const pollSince = openFailing && (!pollDueAt || openFailing.since < pollDueAt) ? openFailing.since : pollDueAt;
  const waits: Wait[] = [
    { phase: 'change', since: editSince && latest(editSince, settledAt), cause: because(openFailing) },
    { phase: 'cancel', since: isCancelling ? latest(changedAt, settledAt) : null, cause: because(openFailing) },
    { phase: 'prepare', since: sends && preparedAt ? latest(preparedAt, changedAt) : null, cause: because(null) },
    { phase: 'submit', since: submitSince, cause: because(work.unsubmittedFailing) },
    { phase: 'poll', since: work.openTasks > 0 ? pollSince : null, cause: because(openFailing) },
  ];
  if (!work.startedElsewhere) return waits;
  return waits.map(({ since }) => ({ phase: 'adoption', since, cause: () => ({ reason: 'adoption' }) }));
}

/** What the platform does, and what nobody knows of it. */
function waitsForPlatform(work: CampaignWork): Wait[] {
  const { status, openTasks, begunAt, settledAt, reportedAt, changedAt, unknownSince } = work;
  const isSending = status === 'sending' && openTasks > 0;
  return [
    {
      phase: 'platform',
      since: isSending ? latest(changedAt, settledAt, reportedAt, begunAt) : null,
      cause: () => ({ reason: 'platform_unchanged' }),
    },
    { phase: 'unknown', since: unknownSince, cause: () => ({ reason: 'outcome_unknown' }) },
  ];
}

/**
 * What a campaign has been at for longer than that is expected to take without progress, and why, as far as its rows tell;
 * null if it goes on, or nothing is expected of it.
 */
export function standingOf(work: CampaignWork, sweep: SweepRuns, now: Date): CampaignStanding | null {
  const waits = [...waitsForPeople(work), ...waitsForWorker(work, sweep, now), ...waitsForPlatform(work)];
  for (const { phase, since, cause } of waits) {
    const expectedMs = campaignPhaseMs[phase];
    if (since === null || now.getTime() - since.getTime() <= expectedMs) continue;
    return { phase, since, expectedMs, reasonSince: null, until: null, ...cause() };
  }
  return null;
}
