import type { CampaignStatus, Outcomes, Progress, Summary } from '#domain/api/campaign.ts';
import { deadlineOf, dueOf, type PacedSend } from '#domain/campaigns/pace/due.ts';
import { forecastOf } from '#domain/campaigns/pace/pace.ts';
import { type Database, firstRow } from '#db/database.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { preparingContacts } from './freezing.ts';

type Wire<Row> = {
  [Name in keyof Row]: Row[Name] extends Date ? string : Row[Name] extends Date | null ? string | null : Row[Name];
};

interface ProgressRecord {
  status: CampaignStatus;
  audienceCount: number;
  preparing: Progress['preparing'];
  subTasks: Progress['subTasks'];
  summary: Summary;
  outcomes: Outcomes;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Of the newest send; null without a pace. Times as PostgreSQL writes them in JSON. */
  paced: Wire<Omit<PacedSend, 'left'>> | null;
}

// The platform's counts, of which none is trusted to exceed the sub-task. `rest` are the contacts that nothing was
// reported of.
const countedTasks = `
  select arm, message_case, status, contact_count, sent, delivered, failed, read, least(contact_count, coalesce(delivered, 0)) as reached,
    least(contact_count, coalesce(delivered, 0) + coalesce(failed, 0)) as settled,
    contact_count - least(contact_count, greatest(sent, coalesce(delivered, 0) + coalesce(failed, 0))) as rest
  from broadcast_task where campaign_id = c.campaign_id and superseded_by is null`;

const restOf = (condition: string) => `coalesce(sum(s.rest) filter (where ${condition}), 0)`;

/** SQL: what became of the contacts of sub-tasks whose sums are `s`, and of so many more that are in none yet. */
export const outcomesOf = (preparing: string): string => `json_build_object('delivered', coalesce(sum(s.reached), 0),
    'sent', coalesce(sum(s.contacts - s.rest - s.settled), 0), 'failed', coalesce(sum(s.settled - s.reached), 0),
    'heldBack', coalesce(sum(s.rest - s.uncounted) filter (where s.status = 'completed'), 0),
    'uncounted', coalesce(sum(s.uncounted) filter (where s.status = 'completed'), 0),
    'refused', ${restOf("s.status in ('rejected', 'failed')")}, 'cancelled', ${restOf("s.status = 'cancelled'")},
    'unknown', ${restOf("s.status = 'unknown'")},
    'notYet', ${restOf("s.status in ('pending', 'submitting', 'scheduled', 'sending')")}
      + ${preparing})`;

/** SQL: sums over the sub-tasks of the campaign `c` by status, and by what is given before it. */
export const sumsByStatus = (by = ''): string => `
  select ${by} status, count(*) as tasks, sum(contact_count) as contacts, sum(sent) as sent,
    sum(delivered) as delivered, sum(failed) as failed, sum(read) as read, sum(reached) as reached,
    sum(settled) as settled, sum(rest) as rest, coalesce(sum(rest) filter (where sent is null), 0) as uncounted
  from (${countedTasks}) k group by ${by} status`;

/** SQL: the platform's counts of sub-tasks whose sums are `s`. */
export const summaryOf = `json_build_object('sent', coalesce(sum(s.sent), 0), 'delivered', coalesce(sum(s.delivered), 0),
  'failed', coalesce(sum(s.failed), 0), 'read', coalesce(sum(s.read), 0))`;

// A single statement sees a single snapshot: contacts that move from one sub-task to another are never counted twice
// or not at all. Sub-tasks replaced by a later send are left out: each contact counts in its newest one.
const selectProgress = `
  select c.status, c.started_at, c.finished_at,
    (select json_build_object('pace', c.pace, 'createdAt', d.created_at, 'pacedUntil', c.next_claim_at,
         'scheduledAt', d.scheduled_at, 'deadlineOverAt', d.deadline_over_at)
       from dispatch d where d.campaign_id = c.campaign_id and c.pace is not null order by d.number desc limit 1) as paced,
    (select coalesce(sum(d.audience_count), 0) from dispatch d
       where d.campaign_id = c.campaign_id and d.retry_of is null) as audience_count,
    json_build_object('contacts', ${preparingContacts('c.campaign_id')}) as preparing,
    coalesce(t.by_status, '{}') as sub_tasks, t.outcomes, t.summary
  from campaign c left join lateral (
    select json_object_agg(s.status, json_build_object('tasks', s.tasks, 'contacts', s.contacts)) as by_status,
      ${summaryOf} as summary, ${outcomesOf(preparingContacts('c.campaign_id'))} as outcomes
    from (${sumsByStatus()}) s
  ) t on true
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId`;

const timeOf = (text: string | null) => (text === null ? null : new Date(text));

function paceProgress(
  { pace, createdAt, pacedUntil, scheduledAt, deadlineOverAt }: NonNullable<ProgressRecord['paced']>,
  status: CampaignStatus,
  { left, now }: { left: number; now: Date },
): NonNullable<Progress['pace']> {
  const isKeptBack = status === 'paused' && deadlineOverAt !== null;
  if (status !== 'sending' && status !== 'scheduled')
    return { nextAt: null, endsAt: null, left, keptBack: isKeptBack ? left : 0 };
  const send: PacedSend = {
    pace,
    left,
    createdAt: new Date(createdAt),
    pacedUntil: timeOf(pacedUntil),
    scheduledAt: timeOf(scheduledAt),
    deadlineOverAt: timeOf(deadlineOverAt),
  };
  const nextAt = dueOf(send, now);
  const { deadline: _, ...rest } = pace;
  const { endsAt, keptBack } = forecastOf(deadlineOf(send) === null ? rest : pace, nextAt, left);
  return { nextAt: nextAt.toISOString(), endsAt: endsAt.toISOString(), left, keptBack };
}

/** Counts and pace of a campaign; null if the tenant has no such campaign. */
export async function readCounts(
  database: Database,
  { tenantId, campaignId }: CampaignKey,
): Promise<{ counts: Omit<Progress, 'pace'>; paced: ProgressRecord['paced'] } | null> {
  const row = await firstRow<ProgressRecord>(database, selectProgress, { tenantId, campaignId });
  if (!row) return null;
  const { paced, startedAt, finishedAt, ...counts } = row;
  return {
    counts: {
      ...counts,
      startedAt: startedAt?.toISOString() ?? null,
      finishedAt: finishedAt?.toISOString() ?? null,
    },
    paced,
  };
}

/** The progress of a campaign, and its forecast as of `now`; null if the tenant has no such campaign. */
export async function readProgress(database: Database, key: CampaignKey, now: Date): Promise<Progress | null> {
  const found = await readCounts(database, key);
  if (!found) return null;
  const { counts, paced } = found;
  const left = (counts.subTasks.pending?.contacts ?? 0) + counts.preparing.contacts;
  const hasPace = paced !== null && left > 0 && counts.status !== 'cancelled' && counts.status !== 'closed';
  return { ...counts, pace: hasPace ? paceProgress(paced, counts.status, { left, now }) : null };
}
