import type { ModelObject } from 'objection';
import type { ListedAudience } from '#domain/api/audiences.ts';
import type { Campaign, CampaignStatus, SendApproval, Summary } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { StoredFields } from '#domain/campaigns/fields.ts';
import type { FigureName } from '#domain/campaigns/figures.ts';
import { pageOf } from '#domain/cursor.ts';
import type { campaignSorts } from '#domain/lists/sorts.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { containing } from '#db/text-search.ts';
import { type ListOrder, orderedPage } from '../list-order.ts';
import { CampaignRow } from '../models/campaigns.ts';
import { addsTo } from './figure-filter.ts';

/** A campaign as stored, with the totals of its sends and clicks. */
export interface CampaignRecord extends Omit<ModelObject<CampaignRow>, 'campaignId'> {
  id: string;
  audienceCount: number | null;
  controlCount: number | null;
  skippedByCase: number | null;
  summary: Summary;
  clickedContacts: number;
  /** Who confirmed its first send. */
  confirmedBy: string | null;
  /** Null unless its tasks are being cancelled for a change of its content. */
  pendingEdit: { requestedBy: string; requestedAt: string } | null;
  /** The campaign that it follows, and the repeat of which it is a run; null if it does not, or is none. */
  stepOf: NonNullable<Campaign['stepOf']> | null;
  runOf: NonNullable<Campaign['runOf']> | null;
  /** The open request for approval of its send, else the newest, its times as PostgreSQL writes them in JSON. */
  approval: SendApproval | null;
}

/** A campaign in a list: inline ids are counted, not read. */
export interface ListedCampaign extends CampaignRecord {
  audience: ListedAudience;
}

/** SQL: the open request for approval of the campaign `c`, else the newest; without a sort, since lists have it in each row. */
export const approvalColumn = `(select json_build_object('approvalId', a.approval_id, 'contacts', a.contacts, 'above', a.above,
         'requestedBy', a.requested_by, 'requestedAt', a.requested_at, 'outcome', a.outcome,
         'decidedBy', a.decided_by, 'decidedAt', a.decided_at, 'rejection', a.reason, 'reason', a.asked_for,
         'sum', case when a.sum_contacts is not null
           then json_build_object('contacts', a.sum_contacts, 'since', a.sum_since) end)
       from send_approval a where a.approval_id = coalesce(
         (select o.approval_id from send_approval o where o.campaign_id = c.campaign_id and o.outcome is null),
         (select n.approval_id from send_approval n where n.campaign_id = c.campaign_id
          order by n.requested_at desc limit 1)))`;

// Sends that retry another reach contacts that are already counted.
const columnsOf = (row: string, at: string) => `
  select ${row}.*, c.campaign_id as id,
    (select sum(d.audience_count) from dispatch d where d.campaign_id = c.campaign_id and d.retry_of is null) as audience_count,
    (select sum(d.control_count) from dispatch d where d.campaign_id = c.campaign_id and d.retry_of is null) as control_count,
    (select sum(d.skipped_by_case) from dispatch d where d.campaign_id = c.campaign_id and d.retry_of is null) as skipped_by_case,
    (select json_build_object('sent', coalesce(sum(sent), 0), 'delivered', coalesce(sum(delivered), 0),
         'failed', coalesce(sum(failed), 0), 'read', coalesce(sum(read), 0))
       from broadcast_task t where t.campaign_id = c.campaign_id and t.superseded_by is null) as summary,
    coalesce((select k.contacts from campaign_clicks k
      where k.tenant_id = c.tenant_id and k.campaign_id = c.campaign_id), 0) as clicked_contacts,
    (select d.created_by from dispatch d where d.campaign_id = c.campaign_id and d.number = 1) as confirmed_by,
    (select json_build_object('requestedBy', e.requested_by, 'requestedAt', e.requested_at) from campaign_edit e
      where e.campaign_id = c.campaign_id and e.outcome is null) as pending_edit,
    ${approvalColumn} as approval,
    (select json_build_object('campaignId', f.campaign_id, 'name', f.name, 'position', s.position)
       from campaign_step s join campaign f on f.campaign_id = s.campaign_id
       where s.step_campaign_id = c.campaign_id) as step_of,
    (select json_build_object('repeatId', r.repeat_id, 'name', r.name)
       from repeat_run u join campaign_repeat r using (repeat_id) where u.campaign_id = c.campaign_id) as run_of,
    ${at} as at
  from campaign c`;

const selectCampaign = columnsOf('c', 'null');

/** `at` is the key that the list is ordered by. */
const selectListed = (
  at: string,
) => `${columnsOf('listed', at)} cross join lateral jsonb_populate_record(c, jsonb_build_object('audience',
  case when c.audience -> 'contactIds' is null then c.audience
    else (c.audience - 'contactIds')
      || jsonb_build_object('contactCount', jsonb_array_length(c.audience -> 'contactIds')) end)) listed`;

/** Null if the tenant has no such campaign, or it is what an automation sends. */
export function findCampaign(database: Database, tenantId: string, id: string): Promise<CampaignRecord | null> {
  return firstRow<CampaignRecord>(
    database,
    `${selectCampaign} where c.tenant_id = :tenantId and c.campaign_id = :id and not c.automation`,
    {
      tenantId,
      id,
    },
  );
}

/** Stores editable fields. */
export async function patchFields(
  transaction: Transaction,
  key: { tenantId: string; campaignId: string },
  fields: StoredFields & { editedBy: string | null; updatedAt: Date },
): Promise<void> {
  await CampaignRow.query(transaction).where(key).patch(fields);
}

export interface CampaignFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  status?: CampaignStatus | undefined;
  /** Its send waits for another operator. */
  approval?: 'waiting' | undefined;
  /** Part of the name, case-insensitive. */
  q?: string | undefined;
  /** Has the sub-task with this key, or this id at the platform. */
  task?: string | undefined;
  /** Refers to this saved audience. */
  audienceId?: string | undefined;
  /** Has all of these. */
  label?: string | string[] | undefined;
  /** ISO 8601; sent (or created, if not sent yet) in [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  /** Contributes to this figure of the overview; `from` and `to` then apply to the figure. */
  had?: FigureName | undefined;
  sort?: (typeof campaignSorts)[number] | undefined;
}

const sentWithin = ({ from, to }: Pick<CampaignFilter, 'from' | 'to'>) =>
  [
    'true',
    ...(from === undefined ? [] : ['coalesce(c.sent_at, c.created_at) >= :from::timestamptz']),
    ...(to === undefined ? [] : ['coalesce(c.sent_at, c.created_at) < :to::timestamptz']),
  ].join(' and ');

/** Each half has its own index; passed as an array, because the planner cannot know how few they are. */
const ofTask = `c.campaign_id = any (array(
  select campaign_id from broadcast_task where tenant_id = :tenantId and task_id = :task
  union select campaign_id from broadcast_task where tenant_id = :tenantId and key = :task))`;

/** Few campaigns wait, and they have an index of their own. */
const waiting = `c.campaign_id = any (array(
  select campaign_id from send_approval where tenant_id = :tenantId and outcome is null))`;

const orders: Record<'createdAt' | 'name', ListOrder> = {
  createdAt: { key: 'c.created_at', of: 'moment' },
  name: { key: 'lower(c.name) collate "C"', of: 'text' },
};

/** Newest first or as asked for, page by page. */
export async function listCampaigns(
  database: Database,
  tenantId: string,
  filter: CampaignFilter,
): Promise<Page<ListedCampaign>> {
  const { limit, serviceNumberId, status, approval, q, task, audienceId, label, from, to, had } = filter;
  const { sort = '-createdAt', cursor } = filter;
  const ordered = orderedPage(orders, { id: 'c.campaign_id', usual: '-createdAt' }, { sort, cursor });
  const found = await rows<ListedCampaign & { at: string }>(
    database,
    `${selectListed(ordered.at)} where c.tenant_id = :tenantId and not c.automation
       ${serviceNumberId === undefined ? '' : 'and c.service_number_id = :serviceNumberId'}
       ${status === undefined ? '' : 'and c.status = :status'}
       ${approval === undefined ? '' : `and ${waiting}`}
       ${q === undefined || q.trim() === '' ? '' : 'and c.name ilike :pattern'}
       ${task === undefined ? '' : `and ${ofTask}`}
       ${audienceId === undefined ? '' : "and c.audience ->> 'audienceId' = :audienceId"}
       ${label === undefined ? '' : 'and c.labels @> :labels::text[]'}
       and ${had === undefined ? sentWithin(filter) : addsTo(had, filter)}
       and ${ordered.after}
     order by ${ordered.orderBy} limit :rows`,
    {
      tenantId,
      serviceNumberId,
      status,
      pattern: containing(q?.trim() ?? ''),
      task,
      audienceId,
      labels: label === undefined ? undefined : [label].flat(),
      from,
      to,
      ...ordered.bindings,
      rows: limit + 1,
    },
  );
  return pageOf(found, limit, (row) => ordered.positionOf(row, row.id));
}
