import { randomUUID } from 'node:crypto';

/** The webhook body for a click, different every time. */
export const clickEvent = (over: Record<string, unknown> = {}) => ({
  eventId: randomUUID(),
  eventType: 'notice.clicked',
  occurredAt: '2026-11-20T09:00:00.000+08:00',
  scope: { serviceNumberId: 'sn-1' },
  data: {
    taskId: 'task-1',
    noticeId: 'notice-1',
    actionIndex: 0,
    action: { type: 'Postback', data: '{"appId":"outreach","event":"Broadcast"}' },
    contactId: 'contact-1',
    clickedAt: '2026-11-20T09:00:00.000+08:00',
  },
  ...over,
});
