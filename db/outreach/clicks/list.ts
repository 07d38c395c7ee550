import { z } from 'zod';
import type { Click } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';
import { clickConditions, type ClickFilter } from './filter.ts';

export interface ClickRow extends Omit<Click, 'clickedAt' | 'label' | 'followed' | 'displayName'> {
  clickedAt: Date;
  /** The number of its contact's case; null without cases. */
  messageCase: number | null;
  at: string;
}

export interface ClickRecord extends ClickRow, Pick<Click, 'displayName'> {
  tags: Click['followed']['tags'] | null;
  sessionId: string | null;
  openedAt: Date | null;
  closedAt: Date | null;
}

/** The tags that one click `k` assigned, as JSON. */
const tagsGiven = `(select json_agg(json_build_object('tagId', tag_id, 'name', t.name, 'color', t.color) order by t.name)
  from tag_assignment a join tag t using (tenant_id, tag_id)
  where a.tenant_id = k.tenant_id and a.contact_id = k.contact_id and a.source_event_id = k.event_id)`;

/** The name of the contact of one click `k`. */
const nameOfContact = `(select p.display_name from campaign c join contact_profile p
    on p.tenant_id = c.tenant_id and p.service_number_id = c.service_number_id and p.contact_id = k.contact_id
  where c.campaign_id = k.campaign_id)`;

/** The first conversation after one click `k`, unless the contact clicked again before it. */
const conversationAfter = `left join lateral (
  select session_id, opened_at, closed_at from conversation v
  where v.tenant_id = k.tenant_id and v.contact_id = k.contact_id and v.campaign_id = k.campaign_id
    and v.opened_at >= k.clicked_at
    and not exists (select 1 from click_attribution later
      where later.tenant_id = k.tenant_id and later.contact_id = k.contact_id and later.campaign_id = k.campaign_id
        and later.clicked_at > k.clicked_at and later.clicked_at <= v.opened_at)
  order by opened_at limit 1) v on true`;

const clickKey = z.tuple([moment, keyText, keyText, keyText, z.int().min(0).max(1_000_000)]);

const newestFirst = 'k.clicked_at desc, k.task_id desc, k.contact_id desc, k.notice_id desc, k.action_index desc';

interface PageRequest extends ClickFilter {
  limit: number;
  cursor?: string | undefined;
}

/** SQL for the clicks of one page, as `k`, and what it is bound to. */
function clicksOfPage(tenantId: string, campaignId: string, { limit, cursor, ...filter }: PageRequest) {
  const after = decodeCursor(clickKey, cursor);
  const [at, taskId, contactId, noticeId, lastAction] = after ?? [];
  const sql = `(select * from click_attribution k where tenant_id = :tenantId and campaign_id = :campaignId
      ${clickConditions(filter)}
      ${
        after
          ? `and (clicked_at, task_id, contact_id, notice_id, action_index)
               < (${atMicroseconds('at')}, :taskId, :contactId, :noticeId, :lastAction)`
          : ''
      }
    order by ${newestFirst} limit :rows) k`;
  return {
    sql,
    bindings: { ...filter, tenantId, campaignId, at, taskId, contactId, noticeId, lastAction, rows: limit + 1 },
  };
}

const columns = `k.task_id, k.contact_id, k.notice_id, k.message_index, k.message_case, k.action_index, k.biz_event_code, k.clicked_at,
  k.repeats, ${toMicroseconds('k.clicked_at')} as at`;

const positionOf = (row: ClickRow) => [row.at, row.taskId, row.contactId, row.noticeId, row.actionIndex];

/** Attributed clicks of a campaign with what followed them, newest first. */
export async function listClicks(
  database: Database,
  tenantId: string,
  campaignId: string,
  request: PageRequest,
): Promise<Page<ClickRecord>> {
  const { sql, bindings } = clicksOfPage(tenantId, campaignId, request);
  const found = await rows<ClickRecord>(
    database,
    `select ${columns}, ${nameOfContact} as display_name, ${tagsGiven} as tags, v.session_id, v.opened_at, v.closed_at
     from ${sql} ${conversationAfter} order by ${newestFirst}`,
    bindings,
  );
  return pageOf(found, request.limit, positionOf);
}

/** The same clicks alone. */
export async function listPlainClicks(
  database: Database,
  tenantId: string,
  campaignId: string,
  request: PageRequest,
): Promise<Page<ClickRow>> {
  const { sql, bindings } = clicksOfPage(tenantId, campaignId, request);
  const found = await rows<ClickRow>(database, `select ${columns} from ${sql} order by ${newestFirst}`, bindings);
  return pageOf(found, request.limit, positionOf);
}
