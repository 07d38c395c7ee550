import { z } from 'zod';
import type { ConsoleRole } from '#domain/api/internal.ts';
import {
  type Notice,
  type NoticeKind,
  noticeKinds,
  type NoticeSettings,
  type NoticesQuery,
} from '#domain/api/notices.ts';
import type { WaitingRefund } from '#domain/api/waiting-refunds.ts';
import type { Page } from '#domain/api/primitives.ts';
import { mayAccess } from '#domain/access.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';

/** Who is told. */
export interface Reader {
  tenantId: string;
  userId: string;
  role: ConsoleRole;
  /** Those that wait for this person: of an administrator of orders, what the order service says. */
  refunds: readonly WaitingRefund[];
}

/** Somebody who has read and chosen. */
export type Person = Pick<Reader, 'tenantId' | 'userId'>;

const SINCE = `now() - interval '30 days'`;

/**
 * SQL: everything there is to tell in a tenant, with whom it is for: `writers`, `admins`, or one person. An object is told of
 * for as long as its rows say so.
 */
const all = `
  select case t.to_status when 'failed' then 'campaign_failed' when 'partially_failed' then 'campaign_partly_failed'
      else case when c.automation then 'automation_paused' when t.pause_reason = 'deadline' then 'deadline_passed'
        else 'campaign_paused' end end as kind,
    t.transition_id::text as cause, t.at as occurred_at, case when c.automation then 'automation' else 'campaign' end as type,
    c.campaign_id as id, c.name, c.service_number_id, t.pause_reason as text, 'writers' as audience, null as person, null as asker
  from campaign_transition t join campaign c using (campaign_id)
  where t.tenant_id = :tenantId and t.at > ${SINCE} and t.to_status in ('paused', 'failed', 'partially_failed')
    and c.status = t.to_status and t.pause_reason is distinct from 'operator'
    and (t.pause_reason is distinct from 'approval' or c.automation)
    and t.transition_id = (select max(l.transition_id) from campaign_transition l where l.campaign_id = c.campaign_id)
  union all
  select 'approval_asked', a.approval_id, a.requested_at, case when c.automation then 'automation' else 'campaign' end,
    c.campaign_id, c.name, c.service_number_id, null, 'writers', null, a.requested_by
  from send_approval a join campaign c using (campaign_id) where a.tenant_id = :tenantId and a.outcome is null
  union all
  select 'approval_' || a.outcome, a.approval_id, a.decided_at, case when c.automation then 'automation' else 'campaign' end,
    c.campaign_id, c.name, c.service_number_id, a.reason, 'one', a.requested_by, null
  from send_approval a join campaign c using (campaign_id)
  where a.tenant_id = :tenantId and a.requested_by = :userId and a.outcome in ('approved', 'rejected') and a.decided_at > ${SINCE}
  union all
  select 'test_asks', v.campaign_id, v.asks_since, 'campaign', c.campaign_id, c.name, c.service_number_id, null, 'writers', null, null
  from variant_test v join campaign c using (campaign_id)
  where v.tenant_id = :tenantId and v.asks_since is not null and v.chosen is null and not c.cancel_requested
    and c.status in ('sending', 'paused')
  union all
  select 'endpoint_failing', w.endpoint_id::text, w.failing_since + interval '24 hours', 'webhook', w.endpoint_id::text, w.url,
    null, null, 'admins', null, null
  from webhook w where w.tenant_id = :tenantId and w.paused_for = 'failing'
  union all
  select 'refund_needs_staff', r."refundId", r.since, case when r."orderId" is null then 'refund' else 'order' end,
    coalesce(r."orderId", r."refundId"), coalesce(r."orderNo", r."refundId"), null, null, 'one', :userId, null
  from jsonb_to_recordset(:refunds::jsonb) as r("refundId" text, "orderId" text, "orderNo" text, since timestamptz)`;

/** SQL: what the reader is told of, newest first by `at` and `notice_id`. */
const told = `
  select n.kind || ' ' || n.cause as notice_id, n.kind, n.at, n.type, n.id, n.name, n.service_number_id, n.text,
    case when n.at <= r.read_until then r.read_at end as read_at
  from (select a.*, date_trunc('milliseconds', a.occurred_at) as at from (${all}) a) n left join notice_reader r on r.tenant_id = :tenantId and r.user_id = :userId
  where (n.person = :userId or (n.audience = 'writers' and :writes) or (n.audience = 'admins' and :administers))
    and n.asker is distinct from :userId and not n.kind = any(coalesce(r.muted, '{}'))`;

const bindingsOf = ({ tenantId, userId, role, refunds }: Reader) => ({
  tenantId,
  userId,
  writes: mayAccess(role, 'write'),
  administers: mayAccess(role, 'admin'),
  refunds: JSON.stringify(refunds),
});

interface NoticeRow {
  noticeId: string;
  kind: NoticeKind;
  at: Date;
  type: Notice['subject']['type'];
  id: string;
  name: string;
  serviceNumberId: string | null;
  text: string | null;
  readAt: Date | null;
}

const present = ({ at, type, id, name, readAt, ...notice }: NoticeRow): Notice => ({
  ...notice,
  at: at.toISOString(),
  subject: { type, id, name },
  readAt: readAt?.toISOString() ?? null,
});

/** What a person is told of and has not read, as a number. */
export async function countUnread(database: Database, reader: Reader): Promise<number> {
  const found = await firstRow<{ unread: number }>(
    database,
    `select count(*)::int as unread from (${told}) t where t.read_at is null`,
    bindingsOf(reader),
  );
  return found?.unread ?? 0;
}

const cursorSchema = z.tuple([z.iso.datetime(), z.string()]);

/** Newest first. */
export async function listNotices(
  database: Database,
  reader: Reader,
  { limit, cursor, unread }: NoticesQuery,
): Promise<Page<Notice>> {
  const [at = null, noticeId = null] = decodeCursor(cursorSchema, cursor) ?? [];
  const found = await rows<NoticeRow>(
    database,
    `select * from (${told}) t
     where (:at::timestamptz is null or (t.at, t.notice_id) < (:at::timestamptz, :noticeId::text))
       and (:unread or t.read_at is null)
     order by t.at desc, t.notice_id desc limit :rows`,
    { ...bindingsOf(reader), at, noticeId, unread: unread !== 'true', rows: limit + 1 },
  );
  const { items, nextCursor } = pageOf(found, limit, (row) => [row.at.toISOString(), row.noticeId]);
  return { items: items.map(present), nextCursor };
}

/** Marks what a person is told of up to `until` as read; never takes that back. */
export async function markRead(
  database: Database,
  { tenantId, userId }: Person,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await rows(
    database,
    `insert into notice_reader as r (tenant_id, user_id, read_until, read_at) values (:tenantId, :userId, :until, :now)
     on conflict (tenant_id, user_id) do update set read_until = greatest(r.read_until, excluded.read_until), read_at = :now`,
    { tenantId, userId, until, now },
  );
}

const settingsOf = (muted: readonly string[]): NoticeSettings =>
  Object.fromEntries(noticeKinds.map((kind) => [kind, !muted.includes(kind)])) as NoticeSettings;

export async function readNoticeSettings(database: Database, { tenantId, userId }: Person): Promise<NoticeSettings> {
  const found = await firstRow<{ muted: string[] }>(
    database,
    'select to_json(muted) as muted from notice_reader where tenant_id = :tenantId and user_id = :userId',
    { tenantId, userId },
  );
  return settingsOf(found?.muted ?? []);
}

export async function writeNoticeSettings(
  database: Database,
  { tenantId, userId }: Person,
  wanted: Partial<NoticeSettings>,
): Promise<NoticeSettings> {
  const muted = noticeKinds.filter((kind) => wanted[kind] === false);
  await rows(
    database,
    `insert into notice_reader (tenant_id, user_id, muted) values (:tenantId, :userId, :muted::text[])
     on conflict (tenant_id, user_id) do update set muted = excluded.muted`,
    { tenantId, userId, muted },
  );
  return settingsOf(muted);
}
