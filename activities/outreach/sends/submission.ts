import type { ClaimedSubTask, DispatchContent } from '#db/outreach/sends/ledger/ledger.ts';
import {
  recordAccepted,
  recordErased,
  recordPostponed,
  recordRejected,
  recordUnauthorized,
  recordUnknown,
  splitOffUnknownContacts,
} from '#commands/outreach/sends/ledger/outcomes.ts';
import { type Submission } from '#db/outreach/sends/ledger/outcomes.ts';
import { type Broadcast, type CredentialSource, NothingSent, type PlatformGateway } from '#clients/platform/gateway.ts';
import { callFailureOf } from '#clients/platform/outcome.ts';
import type { CallFailure } from '#domain/campaigns/standing.ts';
import { messagesOf } from '#domain/campaigns/variants/variants.ts';
import { broadcastOf } from './broadcast-body.ts';
import { linkTokens } from '../revenue/link-tokens.ts';
import { backoffMs } from '../concurrency.ts';
import { withJitter } from '#activities/jitter.ts';
import type { OutreachDeps } from '../deps.ts';
import type { Unstored, UnstoredOutcomes } from './unstored.ts';

type A1Outcome = Awaited<ReturnType<PlatformGateway['createBroadcast']>>;

/** A series of submissions of one send by one attempt. */
export interface SubmissionRun {
  content: DispatchContent;
  credentials: CredentialSource;
  owner: string;
  unstored: UnstoredOutcomes;
  /** Keys of the sub-tasks for which the platform was called, or may have been: their claims are never given back. */
  called: Set<string>;
  /** What is done once while everything that is due is submitted: the first claim, and the late rule if it applies. */
  round: { first: Promise<unknown> | null; late: Promise<boolean> | null };
}

/** An outcome that the next attempt stores by submitting the sub-task again. */
const unsent = (owner: string, key: string): Unstored => ({
  key,
  owner,
  scheduled: false,
  taskId: null,
  estimatedRecipientCount: null,
});

/** The outcome of a call as the next attempt would store it; null if that would be `unknown`, which happens by itself. */
function unstoredOf(owner: string, key: string, broadcast: Broadcast, outcome: A1Outcome): Unstored | null {
  if (outcome.kind === 'ambiguous') return null;
  const scheduled = broadcast.schedule.type === 'scheduled';
  const notSent = { ...unsent(owner, key), scheduled };
  if (outcome.kind !== 'accepted') return notSent;
  const { taskId, estimatedRecipientCount = null } = outcome.value;
  return { ...notSent, taskId, estimatedRecipientCount };
}

/** Submits one claimed sub-task and stores the outcome. */
export async function submitSubTask(deps: OutreachDeps, run: SubmissionRun, claimed: ClaimedSubTask): Promise<void> {
  const { content } = run;
  const { tenantId, campaignId, serviceNumberId } = content;
  const { key, contactIds, variant, messageCase } = claimed;
  const submission = (): Submission => ({ tenantId, campaignId, key, owner: run.owner, now: deps.now() });
  if (contactIds === null) {
    return await run.unstored.persist(unsent(run.owner, key), async () => {
      await recordErased(deps.database, submission());
    });
  }
  let broadcast: Broadcast | undefined;
  let outcome: A1Outcome;
  try {
    const appId = deps.settings.PLATFORM_APP_ID;
    const step = content.automation && variant !== null ? { step: variant } : {};
    const part = { key, contactIds, appId, now: deps.now(), ...step };
    const messages = messagesOf(content, variant, messageCase);
    const links = linkTokens(deps.clickTokens, content, { ...part, variant });
    broadcast = broadcastOf({ ...content, messages }, { ...part, ...links });
    run.called.add(key);
    outcome = await deps.gateway.createBroadcast(run.credentials, { serviceNumberId, key, broadcast });
  } catch (error) {
    // Nothing was sent, and that is certain: without this the row would end up as unknown.
    if (!broadcast || error instanceof NothingSent) await postponeUnsent(deps, run, submission, claimed);
    throw error;
  }
  const submitted = { claimed, content, broadcast };
  const unstored = unstoredOf(run.owner, key, broadcast, outcome);
  await run.unstored.persist(unstored, () => storeOutcome(deps, { submission: submission(), ...submitted }, outcome));
}

/**
 * Stores what the last attempt could not. A sub-task that the platform certainly does not have is submitted again,
 * whatever the platform had said.
 */
export async function storeInherited(
  deps: OutreachDeps,
  { content, unstored }: Pick<SubmissionRun, 'content' | 'unstored'>,
): Promise<void> {
  const { tenantId, campaignId } = content;
  for (const outcome of unstored.inherited) {
    const { key, owner, scheduled, taskId } = outcome;
    const submission = (): Submission => ({ tenantId, campaignId, key, owner, now: deps.now() });
    await unstored.persist(outcome, async () => {
      if (taskId !== null) return await storeAccepted(deps, submission(), content, { ...outcome, taskId, scheduled });
      const reason = { code: 'internal', message: 'The response of the platform could not be stored' };
      await recordPostponed(deps.database, submission(), { ...reason, failure: null, nextAttemptAt: deps.now() });
    });
  }
}

/** It failed on our side before anything was sent. */
async function postponeUnsent(
  deps: OutreachDeps,
  { owner, unstored }: SubmissionRun,
  submission: () => Submission,
  claimed: ClaimedSubTask,
): Promise<void> {
  const reason = { code: 'internal', message: 'The request could not be prepared', failure: null, waitMs: null };
  await unstored.persist(unsent(owner, claimed.key), () => postpone(deps, submission(), claimed, reason));
}

interface Submitted {
  submission: Submission;
  claimed: ClaimedSubTask;
  content: DispatchContent;
  broadcast: Broadcast;
}

async function storeOutcome(deps: OutreachDeps, submitted: Submitted, outcome: A1Outcome): Promise<void> {
  const { submission, claimed } = submitted;
  const { database } = deps;
  const failed = { failure: callFailureOf(outcome) };
  switch (outcome.kind) {
    case 'accepted': {
      const scheduled = submitted.broadcast.schedule.type === 'scheduled';
      return await storeAccepted(deps, submission, submitted.content, { ...outcome.value, scheduled });
    }
    case 'rejected':
      if (outcome.code === 'contact_not_found') await splitOffUnknownContacts(database, submission, outcome);
      else await recordRejected(database, submission, outcome);
      return;
    case 'unauthorized':
      await recordUnauthorized(database, submission, outcome.message);
      return;
    case 'ambiguous':
      if (!deps.settings.PLATFORM_A1_IDEMPOTENT) {
        await recordUnknown(database, submission, outcome.message);
        return;
      }
      return await postpone(deps, submission, claimed, { code: 'ambiguous', ...outcome, ...failed, waitMs: null });
    case 'notSent':
      return await postpone(deps, submission, claimed, { code: 'not_reached', ...outcome, ...failed, waitMs: null });
    case 'retryable':
      return await postpone(deps, submission, claimed, { ...outcome, ...failed, waitMs: outcome.retryAfterMs });
  }
}

async function storeAccepted(
  deps: OutreachDeps,
  submission: Submission,
  content: DispatchContent,
  created: { taskId: string; estimatedRecipientCount?: number | null | undefined; scheduled: boolean },
): Promise<void> {
  const { scheduled } = created;
  const pollIntervalMs = deps.settings.POLL_INTERVAL_MS;
  const firstPoll = submission.now.getTime() + pollIntervalMs;
  const stored = await recordAccepted(deps.database, submission, {
    taskId: created.taskId,
    estimatedRecipientCount: created.estimatedRecipientCount ?? null,
    status: scheduled ? 'scheduled' : 'sending',
    // Before its scheduled time there is nothing to see.
    nextPollAt: new Date(Math.max(firstPoll, scheduled ? (content.scheduledAt?.getTime() ?? 0) : 0)),
    pollIntervalMs,
  });
  const fields = { campaignId: submission.campaignId, key: submission.key, taskId: created.taskId };
  if (!stored) deps.log.warn(fields, 'a sub-task was settled differently before the platform accepted it');
}

async function postpone(
  deps: OutreachDeps,
  submission: Submission,
  claimed: ClaimedSubTask,
  { waitMs, ...reason }: { code: string; message: string; failure: CallFailure | null; waitMs: number | null },
): Promise<void> {
  const wait = waitMs ?? backoffMs(claimed.attempts, 500, 30_000);
  const nextAttemptAt = new Date(submission.now.getTime() + withJitter(wait));
  await recordPostponed(deps.database, submission, { ...reason, nextAttemptAt });
}
