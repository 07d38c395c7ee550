import {
  type CallFailure,
  type CampaignStanding,
  type CampaignWork,
  type Failing,
  standingOf,
} from '#domain/campaigns/standing.ts';
import type { Pace } from '#domain/api/pace.ts';
import { dueOf } from '#domain/campaigns/pace/due.ts';
import { type Database, rows } from '#db/database.ts';
import { readSweep } from '#db/recurring/runs.ts';
import { startedElsewhere } from '#db/place.ts';
import { awaitsChoice } from '../sends/ledger/conditions.ts';

/** A stalled campaign. */
export interface StandingCampaign extends CampaignStanding {
  campaignId: string;
}

export interface StandingScope {
  /** All tenants if absent, for operations. */
  tenantId?: string;
  serviceNumberId?: string | undefined;
  campaignId?: string | undefined;
}

type FailingColumns = Record<'unsubmittedFailing' | 'openFailing', { since: string; with: CallFailure } | null>;
type WorkRow = Omit<CampaignWork, keyof FailingColumns> &
  FailingColumns & { campaignId: string; pace: Pace | null; scheduledAt: Date | null };

/** Campaigns read at most; far more than a person looks at. */
const MOST = 500;

const oldestFailing = (statuses: string) => `(
  select json_build_object('since', t.failing_since, 'with', t.failing_with) from broadcast_task t
  where t.campaign_id = c.campaign_id and t.status in (${statuses}) and t.failing_since is not null
  order by t.failing_since limit 1)`;

const unsubmitted = `t.status in ('pending', 'submitting') and not ${awaitsChoice('t')}`;
const open = `t.status in ('scheduled', 'sending')`;

/** What the sub-tasks of the campaign `c` say together. */
const subTasks = `
  select min(t.created_at) filter (where ${unsubmitted}) as unsubmitted_since,
    max(greatest(t.submitted_at, t.finished_at)) as settled_at, max(t.reported_at) as reported_at,
    count(*) filter (where ${open})::int as open_tasks,
    count(*) filter (where t.status = 'scheduled' and t.task_id is not null)::int as scheduled_tasks,
    min(t.next_poll_at) filter (where ${open}) as poll_due_at,
    min(coalesce(t.not_found_since, t.submitting_since, t.created_at))
      filter (where t.status = 'unknown' and t.superseded_by is null) as unknown_since
  from broadcast_task t where t.campaign_id = c.campaign_id`;

/** A page of a large audience adds its sub-tasks at once. */
const preparedAt = `(
  select greatest(d.freeze_at, (select max(t.created_at) from broadcast_task t where t.dispatch_id = d.dispatch_id))
  from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.freeze_at <= :now
  order by d.freeze_at limit 1)`;

/**
 * Campaigns of which something may be overdue, each kind from an index that has only what is open. Most scheduled campaigns
 * wait for their time, of which nothing is expected.
 */
const overdue = [
  `campaign where status = 'paused'`,
  `campaign where status in ('scheduled', 'sending') and cancel_requested`,
  'send_approval where outcome is null',
  'campaign_edit where outcome is null',
  'dispatch where frozen_at is null and freeze_at <= :now',
  `broadcast_task where status in ('pending', 'submitting')`,
  `broadcast_task where status = 'unknown'`,
  `broadcast_task where next_poll_at <= :now::timestamptz - interval '2 minutes'`,
]
  .map((found) => `select campaign_id from ${found}`)
  .join(' union ');

/** Sub-tasks are read of so many alone: those first of which something is overdue, then those that the platform sends. */
const selectWork = (where: string) => `
  with overdue as materialized (${overdue}), c as materialized (
    select c.campaign_id, c.tenant_id, c.status, c.pause_reason, c.cancel_requested, c.updated_at, c.pace, c.next_claim_at
    from campaign c left join overdue using (campaign_id)
    where c.campaign_id = any(array(
        select campaign_id from overdue union select campaign_id from campaign where status = 'sending'))
      and (c.status in ('scheduled', 'sending', 'paused')
        or exists (select 1 from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null))
      and not c.automation ${where}
    order by overdue.campaign_id is null, c.updated_at, c.campaign_id limit ${MOST})
  select c.campaign_id, c.status, c.pause_reason, c.cancel_requested, c.updated_at as changed_at,
    (select a.requested_at from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null)
      as approval_since,
    (select e.requested_at from campaign_edit e where e.campaign_id = c.campaign_id and e.outcome is null) as edit_since,
    (select v.asks_since from variant_test v where v.campaign_id = c.campaign_id and v.chosen is null) as choice_since,
    (select max(d.scheduled_at) from dispatch d where d.campaign_id = c.campaign_id and d.scheduled_at <= :now) as begun_at,
    (select p.paused_until from platform_pace p join tenant_integration i using (tenant_integration_id)
      where i.tenant_id = c.tenant_id and i.status = 'ACTIVE') as paused_until,
    c.pace, c.next_claim_at as paced_until,
    (select max(d.scheduled_at) from dispatch d where d.campaign_id = c.campaign_id) as scheduled_at,
    ${preparedAt} as prepared_at, ${startedElsewhere} as started_elsewhere, t.*,
    ${oldestFailing(`'pending', 'submitting'`)} as unsubmitted_failing,
    ${oldestFailing(`'scheduled', 'sending'`)} as open_failing
  from c cross join lateral (${subTasks}) t
  order by c.updated_at, c.campaign_id`;

const failingOf = (found: { since: string; with: CallFailure } | null): Failing | null =>
  found && { ...found, since: new Date(found.since) };

/**
 * Campaigns that have made no progress for longer than what they are at is expected to take, those that changed longest ago
 * first.
 */
export async function standingCampaigns(
  database: Database,
  { tenantId, serviceNumberId, campaignId }: StandingScope,
  now: Date,
): Promise<StandingCampaign[]> {
  const where = [
    tenantId === undefined ? '' : 'and c.tenant_id = :tenantId',
    serviceNumberId === undefined ? '' : 'and c.service_number_id = :serviceNumberId',
    campaignId === undefined ? '' : 'and c.campaign_id = :campaignId',
  ];
  const sweep = await readSweep(database);
  const bindings = { tenantId, serviceNumberId, campaignId, now };
  const found = await rows<WorkRow>(database, selectWork(where.join(' ')), bindings);
  return found.flatMap(({ campaignId: id, unsubmittedFailing, openFailing, pace, ...work }) => {
    const failing = { unsubmittedFailing: failingOf(unsubmittedFailing), openFailing: failingOf(openFailing) };
    const pacedUntil = pace && dueOf({ ...work, pace }, work.unsubmittedSince ?? work.changedAt);
    const standing = standingOf({ ...work, ...failing, pacedUntil }, sweep, now);
    return standing ? [{ campaignId: id, ...standing }] : [];
  });
}
