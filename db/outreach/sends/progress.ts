import type { CampaignStatus, Outcomes, Progress, Summary } from '../../../domain/api/campaign.ts';
import { type Database, firstRow } from '../../database.ts';
import { preparingContacts } from './freezing.ts';

interface ProgressRecord {
  status: CampaignStatus;
  audienceCount: number;
  preparing: Progress['preparing'];
  subTasks: Progress['subTasks'];
  summary: Summary;
  outcomes: Outcomes;
  startedAt: Date | null;
  finishedAt: Date | null;
}

// The platform's counts, of which none is trusted to exceed the sub-task. `rest` are the contacts that nothing was
// reported of.
const countedTasks = `
  select status, contact_count, sent, delivered, failed, read, least(contact_count, coalesce(delivered, 0)) as reached,
    least(contact_count, coalesce(delivered, 0) + coalesce(failed, 0)) as settled,
    contact_count - least(contact_count, greatest(sent, coalesce(delivered, 0) + coalesce(failed, 0))) as rest
  from broadcast_task where campaign_id = c.campaign_id and superseded_by is null`;

const restOf = (condition: string) => `coalesce(sum(s.rest) filter (where ${condition}), 0)`;

const outcomes = `json_build_object('delivered', coalesce(sum(s.reached), 0),
    'sent', coalesce(sum(s.contacts - s.rest - s.settled), 0), 'failed', coalesce(sum(s.settled - s.reached), 0),
    'heldBack', coalesce(sum(s.rest - s.uncounted) filter (where s.status = 'completed'), 0),
    'uncounted', coalesce(sum(s.uncounted) filter (where s.status = 'completed'), 0),
    'refused', ${restOf("s.status in ('rejected', 'failed')")}, 'cancelled', ${restOf("s.status = 'cancelled'")},
    'unknown', ${restOf("s.status = 'unknown'")},
    'notYet', ${restOf("s.status in ('pending', 'submitting', 'scheduled', 'sending')")}
      + ${preparingContacts('c.campaign_id')})`;

// A single statement sees a single snapshot: contacts that move from one sub-task to another are never counted twice
// or not at all. Sub-tasks replaced by a later send are left out: each contact counts in its newest one.
const selectProgress = `
  select c.status, c.started_at, c.finished_at,
    (select coalesce(sum(d.audience_count), 0) from dispatch d
       where d.campaign_id = c.campaign_id and d.retry_of is null) as audience_count,
    json_build_object('contacts', ${preparingContacts('c.campaign_id')}) as preparing,
    coalesce(t.by_status, '{}') as sub_tasks, t.outcomes,
    json_build_object('sent', coalesce(t.sent, 0), 'delivered', coalesce(t.delivered, 0),
      'failed', coalesce(t.failed, 0), 'read', coalesce(t.read, 0)) as summary
  from campaign c left join lateral (
    select json_object_agg(s.status, json_build_object('tasks', s.tasks, 'contacts', s.contacts)) as by_status,
      sum(s.sent) as sent, sum(s.delivered) as delivered, sum(s.failed) as failed, sum(s.read) as read,
      ${outcomes} as outcomes
    from (
      select status, count(*) as tasks, sum(contact_count) as contacts, sum(sent) as sent,
        sum(delivered) as delivered, sum(failed) as failed, sum(read) as read, sum(reached) as reached,
        sum(settled) as settled, sum(rest) as rest, coalesce(sum(rest) filter (where sent is null), 0) as uncounted
      from (${countedTasks}) k group by status
    ) s
  ) t on true
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId`;

/** The progress of a campaign; null if the tenant has no such campaign. */
export async function readProgress(database: Database, tenantId: string, campaignId: string): Promise<Progress | null> {
  const row = await firstRow<ProgressRecord>(database, selectProgress, { tenantId, campaignId });
  if (!row) return null;
  return {
    ...row,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
