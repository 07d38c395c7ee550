import type { Page } from '#domain/api/primitives.ts';
import type { TimelineItem } from '#domain/api/timeline.ts';
import type { timelineFilters } from '#domain/contacts/timeline-filters.ts';
import type { Database } from '#db/database.ts';
import { hasContact } from '../sends/chunks.ts';
import { isoOf, messageOfClick } from '../sql-fragments.ts';
import { type MergedBranch, mergedSql, readMerged } from '../merged-list.ts';
import { originColumns } from '../tags/origin.ts';

type Branch = MergedBranch<TimelineItem['kind']>;

// In each snapshot: an index of all contacts would cost many times as much as the snapshot.
const notices: Branch = {
  kind: 'notice',
  at: 'coalesce(t.started_at, t.submitted_at, t.created_at)',
  id: 't.key',
  detail: `json_build_object('campaignId', c.campaign_id, 'campaignName', c.name, 'taskId', t.task_id, 'status', t.status)`,
  from: `campaign c join dispatch d on d.campaign_id = c.campaign_id
    cross join lateral (select r.chunk from dispatch_chunk r
      where r.dispatch_id = d.dispatch_id and ${hasContact('r', ':contactId')} limit 1) r
    cross join lateral (select b.* from broadcast_task b where b.dispatch_id = d.dispatch_id and b.chunk = r.chunk limit 1) t
    where c.tenant_id = :tenantId and c.service_number_id = :serviceNumberId
      and (t.status in ('sending', 'completed') or (t.status = 'failed' and t.sent > 0))`,
};

const clicks: Branch = {
  kind: 'click',
  at: 'k.clicked_at',
  id: `k.task_id || ' ' || k.notice_id || ' ' || k.action_index || ' ' || k.campaign_id`,
  detail: `json_build_object('campaignId', c.campaign_id, 'campaignName', c.name, 'taskId', k.task_id,
    'noticeId', k.notice_id, 'messageIndex', k.message_index, 'actionIndex', k.action_index,
    'label', ${messageOfClick('c', 'k')} -> 'actions' -> k.action_index ->> 'label',
    'bizEventCode', k.biz_event_code, 'repeats', k.repeats)`,
  from: `click_attribution k join campaign c using (campaign_id)
    where k.tenant_id = :tenantId and k.contact_id = :contactId and c.service_number_id = :serviceNumberId`,
};

const sessions: Branch = {
  kind: 'session',
  at: 'v.opened_at',
  id: 'v.session_id',
  detail: `json_build_object('sessionId', v.session_id, 'campaignId', c.campaign_id, 'campaignName', c.name,
    'channel', v.channel, 'closedAt', ${isoOf('v.closed_at')},
    'durationSeconds', v.duration_seconds, 'messageCount', v.message_count)`,
  from: `conversation v left join campaign c using (campaign_id)
    where v.tenant_id = :tenantId and v.contact_id = :contactId
      and coalesce(v.service_number_id, c.service_number_id) = :serviceNumberId`,
};

const tags: Branch = {
  kind: 'tag',
  at: 'a.assigned_at',
  id: 'a.tag_id',
  detail: `json_build_object('tagId', a.tag_id, 'name', g.name, 'origin', (select o.origin from (select ${originColumns}) o))`,
  from: `tag_assignment a join tag g using (tag_id)
    where a.tenant_id = :tenantId and a.contact_id = :contactId and g.service_number_id = :serviceNumberId`,
};

const follows: Branch = {
  kind: 'follow',
  at: 'e.occurred_at',
  id: 'e.event_id',
  detail: `json_build_object('eventId', e.event_id, 'event', split_part(e.event_type, '.', 2))`,
  from: `contact_event e where e.tenant_id = :tenantId and e.service_number_id = :serviceNumberId
    and e.contact_id = :contactId`,
};

/** A tag that a campaign earned. */
const conversions: Branch = { ...tags, from: `${tags.from} and a.source_campaign_id is not null` };

export type TimelineFilter = (typeof timelineFilters)[number];

const branches: Record<TimelineFilter, Branch> = {
  notice: notices,
  click: clicks,
  session: sessions,
  tag: tags,
  conversion: conversions,
  follow: follows,
};

/** The statement for one page: from the start, or after the position bound as `at`, `kind` and `id`. */
export function timelineSql(resumed: boolean, filter?: TimelineFilter): string {
  const wanted = filter === undefined ? [notices, clicks, sessions, tags, follows] : [branches[filter]];
  return mergedSql(wanted, resumed);
}

/** Messages to a contact of a service number and the contact's activity, newest first; all, or one kind. */
export async function readTimeline(
  database: Database,
  tenantId: string,
  contact: { serviceNumberId: string; contactId: string },
  { limit, cursor, kind }: { limit: number; cursor?: string | undefined; kind?: TimelineFilter | undefined },
): Promise<Page<TimelineItem>> {
  return readMerged<TimelineItem>(
    database,
    (resumed) => timelineSql(resumed, kind),
    { tenantId, serviceNumberId: contact.serviceNumberId, contactId: contact.contactId },
    { limit, cursor },
  );
}
