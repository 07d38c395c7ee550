import type { CampaignStatus, ReportedSummary, SubTaskStatus } from '#domain/api/campaign.ts';
import type { CallFailure } from '#domain/campaigns/standing.ts';
import type { PlatformTaskStatus } from '#domain/campaigns/states.ts';
import { TASK_NOT_FOUND, TASK_NOT_FOUND_MESSAGE } from '#domain/campaigns/sub-task-errors.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { recipientsKept } from '../retention/sends.ts';
import { integrationActive } from '../sql-fragments.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { awaitsChoice, beingEdited, failing, mayBeUnsent, notFailing, nothingSent } from './ledger/conditions.ts';
import { nextPacedOf } from './ledger/paced.ts';

/** A sub-task whose state at the platform is due for polling. */
export interface DueTask {
  key: string;
  taskId: string;
  /** One of the platform's, or `unknown` or `rejected` if the platform has lost the task. */
  status: SubTaskStatus;
  /** The status was not reported by the platform. */
  statusAssumed: boolean;
  serviceNumberId: string;
  pollIntervalMs: number | null;
  errorCode: string | null;
  finishedAt: Date | null;
  pollUntil: Date | null;
  /** Since when the platform has returned nothing but 404. */
  notFoundSince: Date | null;
  /** False if the platform has since issued the task's id again: then only the newer task's state is visible. */
  holdsTaskId: boolean;
}

/**
 * Whether the sub-task `t` of the campaign `c` is the one its task id refers to: if the platform issued the id again
 * for the same service number, all its responses and actions concern the newest.
 */
const holdsTaskId = `not exists (
  select 1 from broadcast_task n join campaign o using (campaign_id)
  where n.tenant_id = t.tenant_id and n.task_id = t.task_id and o.service_number_id = c.service_number_id
    and (n.submitted_at, n.key) > (t.submitted_at, t.key))`;

const dueTaskColumns = `t.key, t.task_id, t.status, t.status_assumed, c.service_number_id, t.poll_interval_ms, t.error_code,
  t.finished_at, t.poll_until, t.not_found_since, ${holdsTaskId} as holds_task_id`;

/**
 * At most `limit` due sub-tasks of the campaign, the most overdue first; none while the integration is not ACTIVE.
 */
export function dueTasks(
  database: Database,
  { limit, now, ...key }: CampaignKey & { now: Date; limit: number },
): Promise<DueTask[]> {
  return rows<DueTask>(
    database,
    `select ${dueTaskColumns}
     from broadcast_task t join campaign c using (campaign_id)
     where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.next_poll_at <= :now and t.task_id is not null
       and ${integrationActive('t')}
     order by t.next_poll_at limit :limit`,
    { ...key, now, limit },
  );
}

/**
 * Tasks of sub-tasks that count as failed or not sent, that no later send has replaced, and of which nothing says that they reached
 * somebody: at most `limit`, those that can be retried before those of which the platform has not said so.
 */
export function failedTasks(
  database: Database,
  { limit, ...key }: CampaignKey & { limit: number },
): Promise<DueTask[]> {
  return rows<DueTask>(
    database,
    `select ${dueTaskColumns}
     from broadcast_task t join campaign c using (campaign_id)
     where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.status in ('rejected', 'failed')
       and t.superseded_by is null and t.task_id is not null and ${mayBeUnsent} and ${recipientsKept} and ${integrationActive('t')}
     order by coalesce(${nothingSent}, false) desc, t.key limit :limit`,
    { ...key, limit },
  );
}

/**
 * SQL condition on a sub-task `t` of the campaign `c`: A3 must still be called for it, because the campaign was
 * cancelled, a retry has taken its contacts over, or it is to be submitted again with other content.
 */
const toCancel = `t.status = 'scheduled' and t.task_id is not null
  and (c.cancel_requested or t.superseded_by is not null or ${beingEdited('c')})`;

/** Scheduled sub-tasks that A3 must still be called for. */
export function tasksToCancel(database: Database, { now, ...key }: CampaignKey & { now: Date }): Promise<DueTask[]> {
  return rows<DueTask>(
    database,
    `select ${dueTaskColumns}
     from broadcast_task t join campaign c using (campaign_id)
     where t.tenant_id = :tenantId and t.campaign_id = :campaignId and ${toCancel} and coalesce(t.next_attempt_at, :now) <= :now
       and ${holdsTaskId} and ${integrationActive('t')}`,
    { ...key, now },
  );
}

/** The task is cancelled at the platform (A3), and polled as any ended task. */
export async function recordCancelled(
  database: Database,
  { tenantId, key, now }: { tenantId: string; key: string; now: Date },
  next: NextPoll,
): Promise<void> {
  await rows(
    database,
    `update broadcast_task set status = 'cancelled', status_assumed = false, finished_at = :now, next_attempt_at = null,
       ${notFailing},
       next_poll_at = :nextPollAt, poll_interval_ms = :pollIntervalMs, poll_until = :pollUntil
     where tenant_id = :tenantId and key = :key and status = 'scheduled'`,
    { tenantId, key, now, ...next },
  );
}

/**
 * A3 did not cancel the task: called again at `nextAttemptAt`; null if it came too late, which polling now shows. `failure` is
 * null where the platform has said something.
 */
export async function recordNotCancelled(
  database: Database,
  { tenantId, key, now }: { tenantId: string; key: string; now: Date },
  { nextAttemptAt, failure }: { nextAttemptAt: Date | null; failure: CallFailure | null },
): Promise<void> {
  await rows(
    database,
    `update broadcast_task set next_attempt_at = :nextAttemptAt, ${failing},
       next_poll_at = case when :nextAttemptAt::timestamptz is null then :now else next_poll_at end
     where tenant_id = :tenantId and key = :key and status = 'scheduled'`,
    { tenantId, key, now, nextAttemptAt, failure },
  );
}

export interface TaskReport {
  status: PlatformTaskStatus;
  recipientCount: number | null;
  /** Null if the platform did not report it: the known value stays. */
  summary: ReportedSummary;
  startedAt: Date | null;
  finishedAt: Date | null;
  reportedAt: Date;
}

/** When a sub-task is polled again; null: never. */
export interface NextPoll {
  nextPollAt: Date | null;
  pollIntervalMs: number;
  pollUntil: Date | null;
}

/** SQL: the platform reports another count or end than before; a count that it leaves out stays. */
const isNews = `(coalesce(:sent, sent), coalesce(:delivered, delivered), coalesce(:failed, failed), coalesce(:read, read),
  :finishedAt::timestamptz) is distinct from (sent, delivered, failed, read, finished_at)`;

/** SQL: what follows the end of a task is not counted. */
const polledOnce = 'polls = polls + case when finished_at is null then 1 else 0 end';

/**
 * Stores what A2 reported about one sub-task, whatever an operator said about it. The caller has decided by
 * `nextTaskStatus` which status follows; of statuses stored meanwhile, `completed` and `cancelled` stay.
 */
export async function recordReport(
  database: Database,
  { tenantId, key, taskId }: { tenantId: string; key: string; taskId: string },
  { summary, ...report }: TaskReport,
  next: NextPoll,
): Promise<void> {
  await database.raw(
    `update broadcast_task set status = :status, status_assumed = false, not_found_since = null,
       recipient_count = coalesce(:recipientCount, recipient_count), sent = coalesce(:sent, sent), delivered = coalesce(:delivered, delivered),
       failed = coalesce(:failed, failed), read = coalesce(:read, read),
       started_at = coalesce(:startedAt, started_at), finished_at = :finishedAt,
       next_poll_at = :nextPollAt, poll_interval_ms = :pollIntervalMs, poll_until = :pollUntil, ${polledOnce},
       error_code = null, error_message = null, ${notFailing},
       reported_at = case when status_assumed or status <> :status or ${isNews} then :reportedAt::timestamptz
         else reported_at end
     where tenant_id = :tenantId and key = :key and task_id = :taskId
       and (status not in ('completed', 'cancelled') or status = :status)`,
    { tenantId, key, taskId, ...summary, ...report, ...next } as unknown as Record<string, string>,
  );
}

/**
 * A2 returned nothing usable: retried later, with the reason shown to operators. A sub-task whose task is lost keeps
 * the reason it has.
 */
export async function postponePoll(
  database: Database,
  { tenantId, key }: { tenantId: string; key: string },
  next: {
    nextPollAt: Date | null;
    pollIntervalMs: number;
    notFoundSince: Date | null;
    code: string | null;
    message: string | null;
    /** Null where the platform has said something. */
    failure: CallFailure | null;
    now: Date;
  },
): Promise<void> {
  await rows(
    database,
    `update broadcast_task set next_poll_at = :nextPollAt, poll_interval_ms = :pollIntervalMs,
       not_found_since = :notFoundSince, ${polledOnce}, ${failing},
       error_code = case when status in ('unknown', 'rejected') then error_code else :code end,
       error_message = case when status in ('unknown', 'rejected') then error_message else :message end
     where tenant_id = :tenantId and key = :key and next_poll_at is not null`,
    { tenantId, key, ...next },
  );
}

/** The platform no longer knows an accepted task: its outcome is unknown, and polling continues. */
export async function recordLostTask(
  database: Database,
  { tenantId, key, notFoundSince }: { tenantId: string; key: string; notFoundSince: Date },
  next: NextPoll,
): Promise<void> {
  await rows(
    database,
    `update broadcast_task set status = 'unknown', status_assumed = false, not_found_since = :notFoundSince,
       next_attempt_at = null, next_poll_at = :nextPollAt, poll_interval_ms = :pollIntervalMs, poll_until = :pollUntil,
       error_code = '${TASK_NOT_FOUND}', error_message = '${TASK_NOT_FOUND_MESSAGE}', ${notFailing}
     where tenant_id = :tenantId and key = :key and status in ('scheduled', 'sending')`,
    { tenantId, key, notFoundSince, ...next },
  );
}

export interface PollState {
  status: CampaignStatus;
  /** When the next sub-task is due; null if none will be. */
  nextPollAt: Date | null;
  /** Sub-tasks that wait to be submitted, or are being submitted, and sends being prepared. */
  unsettled: number;
  /** When the first of them may be submitted by the campaign's pace; null if something may happen at any time. */
  pacedUntil: Date | null;
  /** Sub-tasks that the platform may have. */
  unknown: number;
  /** Scheduled sub-tasks that still have to be cancelled at the platform. */
  cancelling: number;
  /** Its tasks are being cancelled for an edit. */
  edited: boolean;
  /** The time of a scheduled send that is still to come. */
  startsAt: Date | null;
  active: boolean;
}

type ReadState = Omit<PollState, 'pacedUntil'> & { pending: number };

export async function pacedUntil(
  transaction: Transaction,
  key: CampaignKey,
  { pending, unsettled }: ReadState,
  now: Date,
): Promise<Date | null> {
  if (pending === 0 || pending < unsettled) return null;
  const due = await nextPacedOf(transaction, key, now);
  return due !== null && due > now ? due : null;
}

export function readPollState(transaction: Transaction, key: CampaignKey & { now: Date }): Promise<ReadState | null> {
  return firstRow<ReadState>(
    transaction,
    `select c.status, min(t.next_poll_at) as next_poll_at,
       count(*) filter (where t.status in ('pending', 'submitting') and not ${awaitsChoice('t')})
         + (select count(*) from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.freeze_at <= :now)
         as unsettled,
       count(*) filter (where t.status = 'pending' and not ${awaitsChoice('t')}) as pending,
       count(*) filter (where t.status = 'unknown') as unknown,
       count(*) filter (where ${toCancel} and ${holdsTaskId}) as cancelling, ${beingEdited('c')} as edited,
       (select min(d.scheduled_at) from dispatch d where d.campaign_id = c.campaign_id and d.scheduled_at > :now) as starts_at,
       ${integrationActive('c')} as active
     from campaign c left join broadcast_task t using (campaign_id)
     where c.tenant_id = :tenantId and c.campaign_id = :campaignId
     group by c.tenant_id, c.campaign_id, c.service_number_id, c.status, c.cancel_requested`,
    { ...key },
  );
}
