import { z } from 'zod';
import { timelineFilters } from '../contacts/timeline-filters.ts';
import { operation } from './operation.ts';
import { page, pageQuery, platformId, timestamp } from './primitives.ts';
import { tagOriginSchema } from './tags.ts';

const campaign = { campaignId: z.string(), campaignName: z.string() };

export const timelineItemSchema = z
  .discriminatedUnion('kind', [
    /** A broadcast that the platform accepted for this contact; its governance may still have withheld it. */
    z.object({
      kind: z.literal('notice'),
      at: timestamp,
      ...campaign,
      taskId: z.string().nullable(),
      status: z.enum(['sending', 'completed', 'failed']),
    }),
    z.object({
      kind: z.literal('click'),
      at: timestamp,
      ...campaign,
      taskId: z.string(),
      noticeId: z.string(),
      messageIndex: z.int().nullable(),
      actionIndex: z.int(),
      label: z.string().nullable(),
      bizEventCode: z.string().nullable(),
      repeats: z.int(),
    }),
    z.object({
      kind: z.literal('session'),
      at: timestamp,
      sessionId: z.string(),
      campaignId: z.string().nullable(),
      campaignName: z.string().nullable(),
      channel: z.string().nullable(),
      closedAt: timestamp.nullable(),
      durationSeconds: z.number().nullable(),
      messageCount: z.int().nullable(),
    }),
    z.object({
      kind: z.literal('tag'),
      at: timestamp,
      tagId: z.string(),
      name: z.string(),
      origin: tagOriginSchema,
    }),
    z.object({
      kind: z.literal('follow'),
      at: timestamp,
      eventId: z.string(),
      event: z.enum(['entered', 'followed', 'unfollowed', 'unsubscribed', 'resubscribed']),
    }),
  ])
  .meta({ id: 'TimelineItem' });
export type TimelineItem = z.infer<typeof timelineItemSchema>;

export const timelineOperations = {
  getContactTimeline: operation({
    method: 'get',
    path: '/contacts/{snId}/{contactId}/timeline',
    tag: 'contacts',
    summary: 'What was sent to one contact and what the contact did, newest first',
    access: 'read',
    params: z.object({ snId: platformId, contactId: platformId }),
    query: z.object({ ...pageQuery, kind: z.enum(timelineFilters).optional() }),
    status: 200,
    response: page(timelineItemSchema),
    errors: ['not_found'],
  }),
};
