import type { CampaignHistoryItem, HistorySide } from '#domain/api/campaign-history.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Database } from '#db/database.ts';
import { isShort } from '../audit/list.ts';
import { type MergedBranch, mergedSql, readMerged } from '../merged-list.ts';

type Branch = MergedBranch<CampaignHistoryItem['kind']>;

const changes: Branch = {
  kind: 'change',
  at: 'a.at',
  id: 'a.audit_id',
  detail: `json_build_object('auditId', a.audit_id, 'actor', a.actor, 'action', a.action, 'objectType', a.object_type,
    'objectId', a.object_id, 'complete', ${isShort('a.before')} and ${isShort('a.after')},
    'before', case when ${isShort('a.before')} then a.before end, 'after', case when ${isShort('a.after')} then a.after end)`,
  from: `audit_log a where a.tenant_id = :tenantId
    and ((a.object_type = 'campaign' and a.object_id = :campaignId)
      or (a.object_type = 'sub_task' and a.object_id in (select key from broadcast_task where campaign_id = :campaignId)))`,
};

// A transition caused by a user's action is written in the same transaction and shown by its audit entry. That contacts
// were sent to twice is found by workflows, and shown beside the transition.
const statuses: Branch = {
  kind: 'status',
  at: 's.at',
  id: 's.transition_id::text',
  detail: `json_build_object('from', s.from_status, 'to', s.to_status, 'pauseReason', s.pause_reason, 'flow',
    case when s.to_status = 'closed' then 'closeCampaign' when s.to_status = 'paused' then 'dispatchCampaign'
      else 'pollTaskStatus' end)`,
  from: `campaign_transition s where s.campaign_id = :campaignId and not exists (
    select 1 from audit_log a where a.tenant_id = :tenantId and a.object_type = 'campaign'
      and a.object_id = :campaignId and a.at = s.at and a.action <> 'campaign.sent_twice')`,
};

const subTask = (event: string, flow: string) => `json_build_object('event', '${event}', 'key', t.key,
  'taskId', t.task_id, 'status', t.status, 'contactCount', t.contact_count, 'errorCode', t.error_code, 'flow', ${flow})`;

const submissions: Branch = {
  kind: 'sub_task',
  at: 't.submitted_at',
  id: `t.key || ' submitted'`,
  detail: subTask('submitted', `'dispatchCampaign'`),
  from: 'broadcast_task t where t.campaign_id = :campaignId and t.submitted_at is not null',
};

const endings: Branch = {
  kind: 'sub_task',
  at: 't.finished_at',
  id: `t.key || ' finished'`,
  detail: subTask('finished', `case when t.task_id is null then 'dispatchCampaign' else 'pollTaskStatus' end`),
  from: 'broadcast_task t where t.campaign_id = :campaignId and t.finished_at is not null',
};

const source = (event: 'created' | 'ended', at: string, flow: string): Branch => ({
  kind: 'entry_source',
  at,
  id: `e.source_id || ' ${event}'`,
  detail: `json_build_object('event', '${event}', 'sourceId', e.source_id, 'flow', '${flow}')`,
  from: `entry_source e where e.campaign_id = :campaignId and ${at} is not null`,
});

const isPerson = `a.actor <> 'platform' and a.actor not like 'service:%'`;
const changesBy = (condition: string): Branch => ({ ...changes, from: `${changes.from} and ${condition}` });

const transitions: readonly Branch[] = [
  statuses,
  submissions,
  endings,
  source('created', 'e.created_at', 'dispatchCampaign'),
  source('ended', 'e.ended_at', 'closeCampaign'),
];

function branchesOf(by: HistorySide | undefined): readonly Branch[] {
  if (by === 'people') return [changesBy(isPerson)];
  return [by === 'system' ? changesBy(`not (${isPerson})`) : changes, ...transitions];
}

/** Every change and transition of a campaign of the tenant, or only those of one side, newest first, page by page. */
export function readCampaignHistory(
  database: Database,
  { tenantId, campaignId }: { tenantId: string; campaignId: string },
  { by, ...page }: { limit: number; cursor?: string | undefined; by?: HistorySide | undefined },
): Promise<Page<CampaignHistoryItem>> {
  return readMerged(database, (resumed) => mergedSql(branchesOf(by), resumed), { tenantId, campaignId }, page);
}
