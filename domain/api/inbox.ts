import { z } from 'zod';
import { operation } from './operation.ts';
import { page, pageQuery, timestamp } from './primitives.ts';

export const inboxStatuses = ['stored', 'processed', 'failed'] as const;
export type InboxStatus = (typeof inboxStatuses)[number];

export const inboxItemSchema = z
  .object({
    eventId: z.string(),
    eventType: z.string(),
    status: z.enum(inboxStatuses),
    receivedAt: timestamp,
    error: z.string().optional(),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof inboxItemSchema>;

export const inboxOperations = {
  listInboxEvents: operation({
    method: 'get',
    path: '/event-inbox',
    tag: 'operations',
    summary: 'Received events, newest first',
    access: 'read',
    query: z.object({ ...pageQuery, status: z.enum(inboxStatuses).optional() }),
    status: 200,
    answer: page(inboxItemSchema),
  }),
};
