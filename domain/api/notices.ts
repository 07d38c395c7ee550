import { z } from 'zod';
import { operation } from './operation.ts';
import { page, pageQuery, timestamp } from './primitives.ts';

/** What a person can be told of. */
export const noticeKinds = [
  'approval_asked',
  'approval_approved',
  'approval_rejected',
  'campaign_paused',
  'campaign_failed',
  'campaign_partly_failed',
  'deadline_passed',
  'test_asks',
  'automation_paused',
  'endpoint_failing',
  'refund_needs_staff',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const noticeSchema = z
  .object({
    noticeId: z.string(),
    kind: z.enum(noticeKinds),
    at: timestamp,
    /** `refund`: of money without an order. */
    subject: z.object({
      type: z.enum(['campaign', 'automation', 'webhook', 'order', 'refund']),
      id: z.string(),
      name: z.string(),
    }),
    serviceNumberId: z.string().nullable(),
    /** Why, in a word of the service, or in those of who rejected it; null where the kind says all. */
    text: z.string().nullable(),
    readAt: timestamp.nullable(),
  })
  .meta({ id: 'Notice' });
export type Notice = z.infer<typeof noticeSchema>;

const unreadSchema = z.object({ unread: z.int() }).meta({ id: 'UnreadNotices' });

const listQuery = z.object({ ...pageQuery, unread: z.enum(['true', 'false']).optional() });
export type NoticesQuery = z.output<typeof listQuery>;

const each = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(noticeKinds.map((kind) => [kind, value])) as Record<NoticeKind, Value>;

export const noticeSettingsSchema = z.object(each(z.boolean())).meta({ id: 'NoticeSettings' });
export type NoticeSettings = z.infer<typeof noticeSettingsSchema>;

const tag = 'notices';

/** What concerns the person who asks. A notice leaves the list once it is solved, and after 30 days. */
export const noticeOperations = {
  listNotices: operation({
    method: 'get',
    path: '/notices',
    tag,
    summary: 'What concerns this person and is not solved, newest first',
    access: 'read',
    unattended: true,
    query: listQuery,
    status: 200,
    response: page(noticeSchema).extend({ unread: z.int() }).meta({ id: 'NoticePage' }),
  }),
  readNotices: operation({
    method: 'post',
    path: '/notices:read',
    tag,
    summary: 'Marks all up to a moment as read',
    access: 'read',
    body: z.object({ until: timestamp }).meta({ id: 'ReadNotices' }),
    status: 200,
    response: unreadSchema,
  }),
  getNoticeSettings: operation({
    method: 'get',
    path: '/notices/settings',
    tag,
    summary: 'Which kinds this person is told of',
    access: 'read',
    status: 200,
    response: noticeSettingsSchema,
  }),
  putNoticeSettings: operation({
    method: 'put',
    path: '/notices/settings',
    tag,
    summary: 'Says which kinds this person is told of; a kind that is left out is told',
    access: 'read',
    body: z.strictObject(each(z.boolean().optional())).meta({ id: 'PutNoticeSettings' }),
    status: 200,
    response: noticeSettingsSchema,
  }),
  streamNotices: operation({
    method: 'get',
    path: '/notices/stream',
    tag,
    summary: 'Server-sent events named `notices`, each with how many are unread, sent on every change',
    access: 'read',
    unattended: true,
    status: 200,
    responseType: 'text/event-stream',
    response: unreadSchema,
    errors: ['rate_limited'],
  }),
};
