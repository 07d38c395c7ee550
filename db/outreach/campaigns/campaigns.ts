import { z } from 'zod';
import type { Campaign, CampaignStatus, PauseReason, Schedule, Summary } from '../../../domain/api/campaign.ts';
import type { Audience } from '../../../domain/api/audiences.ts';
import type { Message } from '../../../domain/api/messages.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../../domain/cursor.ts';
import type { FigureName } from '../../../domain/campaigns/figures.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { containing } from '../../text-search.ts';
import { addsTo } from './figure-filter.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

/** A campaign as it is stored, with what its sends and clicks add up to. */
export interface CampaignRecord {
  id: string;
  tenantId: string;
  serviceNumberId: string;
  name: string;
  note: string | null;
  channels: string[];
  messages: Message[];
  audience: Audience;
  schedule: Schedule;
  endsAt: Date | null;
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  sourceId: string | null;
  /** The ETag; raised by every change that a person makes. */
  version: number;
  dispatches: number;
  createdBy: string;
  editedBy: string | null;
  createdAt: Date;
  updatedAt: Date;
  sentAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  closedAt: Date | null;
  audienceCount: number | null;
  summary: Summary;
  clickedContacts: number;
}

// Sends that retry another reach contacts that are counted already.
const selectCampaign = `
  select c.campaign_id as id, c.tenant_id, c.service_number_id, c.name, c.note,
    c.channels, c.messages, c.audience, c.schedule, c.ends_at, c.status, c.pause_reason,
    c.cancel_requested, c.source_id, c.version, c.dispatches,
    c.created_by, c.edited_by, c.created_at, c.updated_at, c.sent_at,
    c.started_at, c.finished_at, c.closed_at,
    (select sum(d.audience_count) from dispatch d where d.campaign_id = c.campaign_id and d.retry_of is null) as audience_count,
    (select json_build_object('sent', coalesce(sum(sent), 0), 'delivered', coalesce(sum(delivered), 0),
         'failed', coalesce(sum(failed), 0), 'read', coalesce(sum(read), 0))
       from broadcast_task t where t.campaign_id = c.campaign_id and t.superseded_by is null) as summary,
    coalesce((select k.contacts from campaign_clicks k
      where k.tenant_id = c.tenant_id and k.campaign_id = c.campaign_id), 0) as clicked_contacts,
    ${toMicroseconds('c.created_at')} as at
  from campaign c`;

/** Undefined where the tenant has no such campaign. */
export async function findCampaign(
  database: Database,
  tenantId: string,
  id: string,
): Promise<CampaignRecord | undefined> {
  const row = await firstRow<CampaignRecord>(
    database,
    `${selectCampaign} where c.tenant_id = :tenantId and c.campaign_id = :id`,
    { tenantId, id },
  );
  return row ?? undefined;
}

/**
 * The campaign, locked until the transaction ends: changes of one campaign wait for each other.
 * @throws Problem `not_found`.
 */
export async function lockCampaign(transaction: Transaction, tenantId: string, id: string): Promise<CampaignRecord> {
  // Read after the lock: a statement that waited for it would show the sums as they were before.
  await rows(transaction, 'select 1 from campaign where tenant_id = :tenantId and campaign_id = :id for update', {
    tenantId,
    id,
  });
  const row = await findCampaign(transaction, tenantId, id);
  if (!row) throw new Problem('not_found', 'There is no campaign of this id');
  return row;
}

export interface CampaignFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  status?: CampaignStatus | undefined;
  /** Part of the name, in any case. */
  q?: string | undefined;
  /** Names this saved audience. */
  audienceId?: string | undefined;
  /** ISO 8601; sent, or created where not sent yet, in [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  /** Adds to this figure of the overview; `from` and `to` are the figure's then. */
  had?: FigureName | undefined;
}

const sentWithin = ({ from, to }: Pick<CampaignFilter, 'from' | 'to'>) =>
  [
    'true',
    ...(from === undefined ? [] : ['coalesce(c.sent_at, c.created_at) >= :from::timestamptz']),
    ...(to === undefined ? [] : ['coalesce(c.sent_at, c.created_at) < :to::timestamptz']),
  ].join(' and ');

/** Newest first, page by page. */
export async function listCampaigns(
  database: Database,
  tenantId: string,
  filter: CampaignFilter,
): Promise<Page<Campaign>> {
  const { limit, cursor, serviceNumberId, status, q, audienceId, from, to, had } = filter;
  const after = decodeCursor(z.tuple([microseconds, keyText]), cursor);
  const found = await rows<CampaignRecord & { at: number }>(
    database,
    `${selectCampaign} where c.tenant_id = :tenantId
       ${serviceNumberId === undefined ? '' : 'and c.service_number_id = :serviceNumberId'}
       ${status === undefined ? '' : 'and c.status = :status'}
       ${q === undefined || q.trim() === '' ? '' : 'and c.name ilike :pattern'}
       ${audienceId === undefined ? '' : "and c.audience ->> 'audienceId' = :audienceId"}
       and ${had === undefined ? sentWithin(filter) : addsTo(had, filter)}
       ${after ? `and (c.created_at, c.campaign_id) < (${atMicroseconds('at')}, :after)` : ''}
     order by c.created_at desc, c.campaign_id desc limit :rows`,
    {
      tenantId,
      serviceNumberId,
      status,
      pattern: containing(q?.trim() ?? ''),
      audienceId,
      from,
      to,
      at: after?.[0],
      after: after?.[1],
      rows: limit + 1,
    },
  );
  return pageOf(found, limit, (row) => [row.at, row.id], presentCampaign);
}

const iso = (time: Date | null) => time?.toISOString() ?? null;

export function presentCampaign(row: CampaignRecord): Campaign {
  return {
    id: row.id,
    name: row.name,
    serviceNumberId: row.serviceNumberId,
    note: row.note,
    channels: row.channels,
    messages: row.messages,
    audience: row.audience,
    schedule: row.schedule,
    endsAt: iso(row.endsAt),
    status: row.status,
    pauseReason: row.pauseReason,
    sourceId: row.sourceId,
    audienceCount: row.audienceCount,
    summary: row.summary,
    clickedContacts: row.clickedContacts,
    createdBy: row.createdBy,
    editedBy: row.editedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    sentAt: iso(row.sentAt),
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
    closedAt: iso(row.closedAt),
  };
}
