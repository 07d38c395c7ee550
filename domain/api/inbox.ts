import { z } from 'zod';
import { operation } from './operation.ts';
import { page, pageQuery, platformId, timestamp } from './primitives.ts';

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

export const inboxEventSchema = inboxItemSchema
  .extend({
    occurredAt: timestamp,
    serviceNumberId: z.string().nullable(),
    processedAt: timestamp.nullable(),
    /** What it waits for where its context is not there yet, e.g. `task:t-1`. */
    waitingFor: z.string().nullable(),
    /** The event's data as JSON text, kept to the letter. */
    payload: z.string(),
  })
  .meta({ id: 'InboxEvent' });
export type InboxEvent = z.infer<typeof inboxEventSchema>;

const eventId = z.object({ eventId: platformId });

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
  getInboxEvent: operation({
    method: 'get',
    path: '/event-inbox/{eventId}',
    tag: 'operations',
    summary: 'One received event with its payload',
    access: 'read',
    params: eventId,
    status: 200,
    answer: inboxEventSchema,
    problems: ['not_found'],
  }),
  replayInboxEvent: operation({
    method: 'post',
    path: '/event-inbox/{eventId}:replay',
    tag: 'operations',
    summary: 'Has a failed event handled once more',
    access: 'write',
    params: eventId,
    status: 200,
    answer: inboxEventSchema,
    problems: ['not_found', 'invalid_state'],
  }),
};
