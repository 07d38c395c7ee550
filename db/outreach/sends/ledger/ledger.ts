import type { CampaignStatus, PauseReason } from '#domain/api/campaign.ts';
import type { Pace } from '#domain/api/pace.ts';
import type { MessageChoice } from '#domain/campaigns/cases/cases.ts';
import type { StoredVariants } from '#domain/campaigns/variants/variants.ts';
import type { Utm } from '#domain/campaigns/templates/utm.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { integrationActive } from '#db/outreach/sql-fragments.ts';
import type { CampaignKey } from './campaign-key.ts';
import { awaitsChoice, firstSendFrozen, isRepeated, keepingDoubt, maySend, unsubmitted } from './conditions.ts';

/** One send of a campaign. */
export interface DispatchKey {
  tenantId: string;
  dispatchId: string;
}

/** Sub-tasks of one send, both bounds inclusive. */
export interface ChunkRange {
  from: number;
  to: number;
}

/** What all sub-tasks of a send have in common. */
export interface DispatchContent extends CampaignKey, MessageChoice {
  dispatchId: string;
  serviceNumberId: string;
  /** Whether it is of an automation, whose steps are its variants. */
  automation: boolean;
  name: string;
  note: string | null;
  channels: string[];
  variants: StoredVariants | null;
  sourceId: string | null;
  revenueWindowDays: number | null;
  /** Parameters of its links, and the name in them. */
  utm: Utm | null;
  sentName: string | null;
  endsAt: Date | null;
  scheduledAt: Date | null;
  lateAt: Date | null;
  /** How it is spread over time; null: not at all. */
  pace: Pace | null;
  /** Where the platform sends the tenant's events; null without an ACTIVE integration. */
  webhookUrl: string | null;
  status: CampaignStatus;
}

/** Null if there is no such send. */
export function loadDispatch(database: Database, key: DispatchKey): Promise<DispatchContent | null> {
  return firstRow<DispatchContent>(
    database,
    `select d.tenant_id, d.campaign_id, d.dispatch_id, c.service_number_id, c.automation, c.name, c.note, c.channels, c.messages,
       c.messages_by, c.variants,
       c.source_id, c.revenue_window_days, c.utm, c.sent_name, c.ends_at, d.scheduled_at, d.late_at, c.status, c.pace,
       (select i.webhook_url from tenant_integration i where i.tenant_id = d.tenant_id and i.status = 'ACTIVE') as webhook_url
     from dispatch d join campaign c using (campaign_id)
     where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId`,
    { ...key },
  );
}

/**
 * Chunk numbers of the sub-tasks that are not settled yet: neither submitted nor rejected nor unknown. Those that wait for a
 * variant are left out.
 */
export async function unsettledChunks(database: Database, { tenantId, dispatchId }: DispatchKey): Promise<number[]> {
  const found = await rows<{ chunk: number }>(
    database,
    `select t.chunk from broadcast_task t where t.tenant_id = :tenantId and t.dispatch_id = :dispatchId
       and t.status in ('pending', 'submitting') and not ${awaitsChoice('t')} order by t.chunk`,
    { tenantId, dispatchId },
  );
  return found.map(({ chunk }) => chunk);
}

/** The sub-tasks of a send that may or may not be at the platform. */
export async function unknownSubTasks(
  database: Database,
  { tenantId, campaignId, dispatchId }: CampaignKey & DispatchKey,
): Promise<{ tasks: number; contacts: number }> {
  const counted = await firstRow<{ tasks: number; contacts: number }>(
    database,
    `select count(*) as tasks, coalesce(sum(contact_count), 0) as contacts from broadcast_task
     where tenant_id = :tenantId and campaign_id = :campaignId and dispatch_id = :dispatchId and status = 'unknown'`,
    { tenantId, campaignId, dispatchId },
  );
  return counted ?? { tasks: 0, contacts: 0 };
}

/** A sub-task that is ours to submit now. */
export interface ClaimedSubTask {
  key: string;
  chunk: number;
  /** Whose messages it gets; null: the campaign's own. */
  variant: number | null;
  /** Which case they are of; null without cases. */
  messageCase: number | null;
  /** How often it has been claimed, including this time. */
  attempts: number;
  /** Its frozen contacts, without those erased since. Null if none is left. */
  contactIds: string[] | null;
}

// As JSON: the driver reads an array of PostgreSQL letter by letter.
const claimedContacts = `
  select json_agg(id order by place) from dispatch_chunk c
    cross join unnest(c.contact_ids) with ordinality as of_chunk (id, place)
  where c.dispatch_id = broadcast_task.dispatch_id and c.chunk = broadcast_task.chunk
    and id not like '${PSEUDONYM_PATTERN}'`;

/**
 * Claims the next due sub-task of the range, with its contacts: the one statement that decides about sending. Finds nothing if the
 * campaign is paused, cancelled or being edited, if nobody has decided that it may go out (`claimApproved`), or the integration
 * is not ACTIVE. What waits for a variant is not due. Of a campaign with a pace it finds nothing unless the caller has looked at
 * that: it may have got one since the caller read it.
 */
export function claimSubTask(
  database: Database,
  { owner, now, ...range }: DispatchKey & ChunkRange & { owner: string; now: Date },
  { inTurn = false } = {},
): Promise<ClaimedSubTask | null> {
  return firstRow<ClaimedSubTask>(
    database,
    `update broadcast_task set status = 'submitting', claimed_at = :now, submitting_since = :now, submitting_by = :owner,
       attempts = attempts + 1, next_attempt_at = null, ${keepingDoubt('broadcast_task', { code: 'null', message: 'null' })}
     where key = (
       select t.key from broadcast_task t join campaign c using (campaign_id)
       where t.tenant_id = :tenantId and t.dispatch_id = :dispatchId and t.chunk between :from and :to
         and t.status = 'pending' and coalesce(t.next_attempt_at, :now) <= :now and not ${awaitsChoice('t')}
         and c.first_claimed_at is not null and ${maySend('c')} and ${integrationActive('t')}
         and (:inTurn or c.pace is null)
       order by t.chunk limit 1 for update of t skip locked)
       and status = 'pending'
     returning key, chunk, variant, message_case, attempts, (${claimedContacts}) as contact_ids`,
    { ...range, owner, now, inTurn },
  );
}

/** Gives back what `owner` has claimed without calling the platform: all of its open claims but `except`. */
export async function releaseClaims(
  database: Database,
  { owner, except, ...range }: DispatchKey & ChunkRange & { owner: string; except: string[]; now: Date },
): Promise<void> {
  await rows(
    database,
    `update broadcast_task t set claimed_at = null, submitting_since = null, submitting_by = null, next_attempt_at = null,
       ${unsubmitted('c.cancel_requested', isRepeated('t'))}
     from (select campaign_id, cancel_requested from campaign
           where tenant_id = :tenantId
             and campaign_id = (select campaign_id from dispatch where dispatch_id = :dispatchId) for share) c
     where t.campaign_id = c.campaign_id and t.dispatch_id = :dispatchId and t.chunk between :from and :to
       and t.status = 'submitting' and t.submitting_by = :owner and t.key <> all(:except::text[])`,
    { ...range, owner, except },
  );
}

/** The progress of a range. */
export interface RangeState {
  pending: number;
  submitting: number;
  /** When the first pending sub-task is due; null if there is none. */
  nextAttemptAt: Date | null;
  /** When the oldest open submission began; null if there is none. */
  submittingSince: Date | null;
  /** Whether the campaign may send. */
  open: boolean;
  /** Whether a claim could succeed at all. */
  sendable: boolean;
  /** Whether it is spread over time. */
  paced: boolean;
}

/** Null if there is no such send. */
export function rangeState(
  database: Database,
  range: DispatchKey & ChunkRange & { now: Date },
): Promise<RangeState | null> {
  return firstRow<RangeState>(
    database,
    `select count(*) filter (where t.status = 'pending') as pending,
       count(*) filter (where t.status = 'submitting') as submitting,
       min(coalesce(t.next_attempt_at, :now)) filter (where t.status = 'pending') as next_attempt_at,
       min(t.submitting_since) filter (where t.status = 'submitting') as submitting_since,
       ${maySend('c')} and ${integrationActive('d')} as open,
       ${maySend('c')} and ${integrationActive('d')} and (c.first_claimed_at is not null or ${firstSendFrozen('c')}) as sendable, c.pace is not null as paced
     from dispatch d join campaign c using (campaign_id)
     left join broadcast_task t on t.dispatch_id = d.dispatch_id and t.chunk between :from and :to
       and t.status in ('pending', 'submitting') and not ${awaitsChoice('t')}
     where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId
     group by d.tenant_id, c.campaign_id`,
    { ...range },
  );
}

export const abandoned = `tenant_id = :tenantId and dispatch_id = :dispatchId and chunk between :from and :to
  and status = 'submitting' and submitting_since <= :before`;

// Usually there are none, and nothing blocks.
export const lockIfAbandoned = `
  select tenant_id, campaign_id from campaign
  where campaign_id = (select campaign_id from broadcast_task where ${abandoned} limit 1) for update`;

/** Stops pending sub-tasks, if any. In the caller's transaction. */
export async function pauseSending(
  transaction: Transaction,
  { reason, now, ...key }: CampaignKey & { reason: PauseReason; now: Date },
): Promise<boolean> {
  const paused = await rows(
    transaction,
    `update campaign c set status = 'paused', pause_reason = :reason, updated_at = :now
     where c.tenant_id = :tenantId and c.campaign_id = :campaignId and c.status in ('sending', 'scheduled')
       and (exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status = 'pending')
         or exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null))
     returning 1`,
    { ...key, reason, now },
  );
  return paused.length > 0;
}
