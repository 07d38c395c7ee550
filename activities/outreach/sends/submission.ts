import { setTimeout } from 'node:timers/promises';
import { type ClaimedSubTask, chunkContacts, type DispatchContent } from '../../../db/outreach/sends/ledger/ledger.ts';
import {
  recordAccepted,
  recordPostponed,
  recordRejected,
  recordUnauthorized,
  recordUnknown,
  splitOffUnknownContacts,
  type Submission,
} from '../../../db/outreach/sends/ledger/outcomes.ts';
import {
  type Broadcast,
  type CredentialSource,
  NothingSent,
  type PlatformGateway,
} from '../../../clients/platform/gateway.ts';
import { broadcastOf } from './broadcast-body.ts';
import { backoffMs } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';

type A1Outcome = Awaited<ReturnType<PlatformGateway['createBroadcast']>>;

/** A series of submissions of one send by one attempt. */
export interface SubmissionRun {
  content: DispatchContent;
  credentials: CredentialSource;
  owner: string;
}

/** What is known now must not be lost because the database is briefly unavailable. */
async function persist<T>(store: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store();
    } catch (error) {
      if (attempt === 6) throw error;
      await setTimeout(backoffMs(attempt, 100, 2000));
    }
  }
}

/** Submits one claimed sub-task and stores the outcome. */
export async function submitSubTask(deps: OutreachDeps, run: SubmissionRun, claimed: ClaimedSubTask): Promise<void> {
  const { content } = run;
  const { tenantId, campaignId, dispatchId, serviceNumberId } = content;
  const { key } = claimed;
  const submission = (): Submission => ({ tenantId, campaignId, key, owner: run.owner, now: deps.now() });
  let broadcast: Broadcast | undefined;
  let outcome: A1Outcome;
  try {
    const contactIds = await chunkContacts(deps.database, { tenantId, dispatchId, chunk: claimed.chunk });
    const appId = deps.settings.PLATFORM_APP_ID;
    broadcast = broadcastOf(content, { key, contactIds, appId, now: deps.now() });
    outcome = await deps.gateway.createBroadcast(run.credentials, { serviceNumberId, key, broadcast });
  } catch (error) {
    // Nothing was sent, and that is certain: without this the row would end up as unknown.
    if (!broadcast || error instanceof NothingSent) await postponeUnsent(deps, submission(), claimed);
    throw error;
  }
  const submitted = { claimed, content, broadcast };
  await persist(() => storeOutcome(deps, { submission: submission(), ...submitted }, outcome));
}

/** It failed on our side before anything was sent. */
async function postponeUnsent(deps: OutreachDeps, submission: Submission, claimed: ClaimedSubTask): Promise<void> {
  const reason = { code: 'internal', message: 'The request could not be prepared', waitMs: null };
  await persist(() => postpone(deps, submission, claimed, reason));
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
  switch (outcome.kind) {
    case 'accepted':
      return await storeAccepted(deps, submitted, outcome.value);
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
      return await postpone(deps, submission, claimed, { code: 'ambiguous', ...outcome, waitMs: null });
    case 'notSent':
      return await postpone(deps, submission, claimed, { code: 'not_reached', ...outcome, waitMs: null });
    case 'retryable':
      return await postpone(deps, submission, claimed, { ...outcome, waitMs: outcome.retryAfterMs });
  }
}

async function storeAccepted(
  deps: OutreachDeps,
  { submission, content, broadcast }: Submitted,
  created: { taskId: string; estimatedRecipientCount?: number | null | undefined },
): Promise<void> {
  const scheduled = broadcast.schedule.type === 'scheduled';
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
  { code, message, waitMs }: { code: string; message: string; waitMs: number | null },
): Promise<void> {
  const wait = waitMs ?? backoffMs(claimed.attempts, 500, 30_000);
  const nextAttemptAt = new Date(submission.now.getTime() + wait);
  await recordPostponed(deps.database, submission, { code, message, nextAttemptAt });
}
