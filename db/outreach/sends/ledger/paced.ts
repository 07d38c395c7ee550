import type { Pace } from '#domain/api/pace.ts';
import { deadlineOf, dueAfter, dueOf, type PacedSend } from '#domain/campaigns/pace/due.ts';
import { nextDue } from '#domain/campaigns/pace/pace.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from './campaign-key.ts';
import { awaitsChoice } from './conditions.ts';
import { type ChunkRange, type ClaimedSubTask, claimSubTask, type DispatchKey } from './ledger.ts';

/**
 * SQL: until when the claims of the last minute leave no room in it for another one of the campaign `c`; null if they do. The
 * next due time alone says so only where all sub-tasks are equally large. What the platform has cancelled, as it is for a change,
 * takes no room.
 */
const minuteFullUntil = `(
  select m.claimed_at + interval '1 minute' from (
    select claimed_at, sum(contact_count) over (order by claimed_at desc, key) as since from broadcast_task
    where campaign_id = c.campaign_id and claimed_at > :now::timestamptz - interval '1 minute' and status <> 'cancelled') m
  where m.since > (c.pace ->> 'perMinute')::int order by m.claimed_at desc limit 1)`;

const pacedSends = `
  select c.campaign_id, c.pace, greatest(c.next_claim_at, ${minuteFullUntil}) as paced_until, d.created_at, d.scheduled_at, d.deadline_over_at,
    (select coalesce(sum(t.contact_count), 0)::int from broadcast_task t
      where t.campaign_id = d.campaign_id and t.status = 'pending' and not ${awaitsChoice('t')}) as left
  from dispatch d join campaign c using (campaign_id)
  where d.tenant_id = :tenantId and c.pace is not null`;

export const selectPaced = `${pacedSends} and d.dispatch_id = :dispatchId`;

/** When anything is to be done about a send because of its pace; null without one. */
export async function nextPaced(
  database: Database,
  { tenantId, dispatchId }: DispatchKey,
  now: Date,
): Promise<Date | null> {
  const send = await firstRow<PacedSend>(database, selectPaced, { tenantId, dispatchId, now });
  if (!send) return null;
  const [due, deadline] = [dueOf(send, now), deadlineOf(send)];
  return deadline !== null && deadline < due ? deadline : due;
}

/** When the pace of a campaign lets the next of its sub-tasks be submitted, `now` included; null without one, or if none is left. */
export async function nextPacedOf(
  database: Database,
  { tenantId, campaignId }: CampaignKey,
  now: Date,
): Promise<Date | null> {
  const sql = `${pacedSends} and d.campaign_id = :campaignId and exists (
    select 1 from broadcast_task t
    where t.dispatch_id = d.dispatch_id and t.status = 'pending' and not ${awaitsChoice('t')})`;
  const sends = await rows<PacedSend>(database, sql, { tenantId, campaignId, now });
  const times = sends.map((send) => dueOf(send, now).getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

// Once something was submitted the send is not late any more, however long the rest takes.
const storeNextDue = `
  with paced as (update campaign set next_claim_at = :due where campaign_id = :campaignId)
  update dispatch set late_at = coalesce(late_at, :now) where dispatch_id = :dispatchId`;

export async function claimInTurn(
  transaction: Transaction,
  send: PacedSend & { campaignId: string },
  claim: DispatchKey & ChunkRange & { owner: string; now: Date },
): Promise<ClaimedSubTask | null> {
  const { dispatchId, now } = claim;
  const { campaignId } = send;
  const [due, deadline] = [dueOf(send, now), deadlineOf(send)];
  if (due > now || (deadline !== null && deadline <= now)) return null;
  const claimed = await claimSubTask(transaction, claim, { inTurn: true });
  if (!claimed) return null;
  const next = dueAfter(send, claimed.contactIds?.length ?? 0, now);
  await rows(transaction, storeNextDue, { campaignId, dispatchId, due: next, now });
  return claimed;
}

const overDeadline = (campaign: string) => `(${campaign}.pace ->> 'deadline')::timestamptz <= :now
    and ${campaign}.status in ('sending', 'scheduled') and not ${campaign}.cancel_requested`;

/** SQL condition on a send `d` of the campaign `c`: the deadline binds it, and was not noted as passed. */
const bound = `d.deadline_over_at is null and d.created_at < (c.pace ->> 'deadline')::timestamptz`;

export const passDeadline = `
  update dispatch d set deadline_over_at = :now from campaign c
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId and c.campaign_id = d.campaign_id
    and ${overDeadline('c')} and ${bound}
  returning c.status, c.pace ->> 'deadline' as deadline,
    (select coalesce(sum(t.contact_count), 0)::int from broadcast_task t
      where t.campaign_id = c.campaign_id and t.status = 'pending') as contacts`;

/**
 * Campaigns whose deadline has passed while sub-tasks were left that nobody is submitting, as the rest of a test of variants. In
 * random order, as other sweeps.
 */
export function passedDeadlines(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<CampaignKey[]> {
  return rows<CampaignKey>(
    database,
    `select c.tenant_id, c.campaign_id from campaign c where ${overDeadline('c')} and exists (
       select 1 from dispatch d join broadcast_task t using (dispatch_id)
       where d.campaign_id = c.campaign_id and ${bound} and t.status = 'pending')
     order by random() limit :limit`,
    { now, limit },
  );
}

const selectSize = `
  select coalesce(max(contact_count), 0) as submitted,
    coalesce(sum(contact_count) filter (where status = 'pending'), 0)::int as left
  from broadcast_task where tenant_id = :tenantId and campaign_id = :campaignId`;

// Never later than it was, so that no number of changes holds a send up.
const storeRestart = `
  with paced as (update campaign set next_claim_at = :due where campaign_id = :campaignId and next_claim_at > :due)
  update dispatch set deadline_over_at = null
  where tenant_id = :tenantId and campaign_id = :campaignId`;

/**
 * Lets a changed pace count from the next claim on, and its deadline with it: what was claimed last counts as claimed now,
 * so that no change releases a sub-task at once. The caller holds the campaign's lock.
 */
export async function restartPace(
  transaction: Transaction,
  { tenantId, campaignId }: CampaignKey,
  { pace, now }: { pace: Pace | null; now: Date },
): Promise<void> {
  const key = { tenantId, campaignId };
  const size = await firstRow<{ submitted: number; left: number }>(transaction, selectSize, key);
  const due = size && pace ? nextDue(pace, now, size) : now;
  await rows(transaction, storeRestart, { ...key, due });
}
