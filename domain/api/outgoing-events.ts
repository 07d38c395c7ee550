import { z } from 'zod';
import { pauseReasons } from './campaign.ts';
import { operation } from './operation.ts';
import { page, pageQuery, timestamp } from './primitives.ts';
import { outgoingEventTypes } from './webhook.ts';

/** Outgoing events by type. `timestamp` is when the event was written. */

const ofTenant = { tenantId: z.string() };
const ofCampaign = { ...ofTenant, campaignId: z.string() };
const count = z.int();

const ended = {
  ...ofCampaign,
  name: z.string(),
  status: z.enum(['completed', 'partially_failed', 'failed', 'cancelled', 'closed']),
  finishedAt: timestamp,
  /** As of that moment; `read` may still grow. */
  contacts: count,
  sent: count,
  delivered: count,
  failed: count,
  read: count,
  subTasks: count,
  unknown: count,
  rejected: count,
};

const approval = {
  ...ofCampaign,
  approvalId: z.string(),
  /** Contacts of the send, and above how many it needs approval. */
  contacts: count,
  above: count,
  requestedBy: z.string(),
};

const conversations = {
  ...ofTenant,
  serviceNumberId: z.string(),
  campaignId: z.string().nullable(),
};

const event = <Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp, data: z.object(data) });

export const outgoingEventSchema = z.discriminatedUnion('type', [
  /** Nothing of a send waits any more, and the platform has something of it; once for each send. */
  event('campaign.sent', {
    ...ofCampaign,
    name: z.string(),
    dispatchId: z.string(),
    /** 1 for the first send of the campaign; retries count on. */
    send: count,
    retry: z.boolean(),
    /** Contacts of the send, and those of them in sub-tasks that the platform accepted. */
    contacts: count,
    submitted: count,
    subTasks: count,
    unknown: count,
    rejected: count,
  }),
  /** The campaign has ended; again if it is retried and ends again. */
  event('campaign.completed', ended),
  /** The outcome of a sub-task is unknown. */
  event('subtask.unknown', {
    ...ofCampaign,
    dispatchId: z.string(),
    subTaskKey: z.string(),
    contacts: count,
    /** `outcome_unknown` or `task_not_found`. */
    reason: z.string(),
  }),
  /** At most 500 first clicks of contacts on buttons of one campaign. */
  event('contact.clicked', {
    ...ofCampaign,
    clicks: z.array(
      z.object({
        contactId: z.string(),
        clickedAt: timestamp,
        /** Null where it is not known which message had the button; of variant v, 5 v and the index of the message. */
        messageIndex: count.nullable(),
        actionIndex: count,
        bizEventCode: z.string().nullable(),
        taskId: z.string(),
        noticeId: z.string(),
      }),
    ),
  }),
  /** At most 500 contacts that were given one tag, by one rule or person. */
  event('contact.tagged', {
    ...ofTenant,
    tagId: z.string(),
    tagName: z.string(),
    /** What led to the tag; null where a person gave it. */
    campaignId: z.string().nullable(),
    ruleId: z.string().nullable(),
    /** A platformUserId or `key:<id>`; null where a rule gave it. */
    taggedBy: z.string().nullable(),
    contacts: z.array(z.object({ contactId: z.string(), taggedAt: timestamp })),
  }),
  /** A draft was sent, to begin later. */
  event('campaign.scheduled', { ...ofCampaign, name: z.string(), at: timestamp.nullable() }),
  /** Nothing more of the campaign is submitted until somebody resumes it. */
  event('campaign.paused', { ...ofCampaign, name: z.string(), reason: z.enum(pauseReasons) }),
  /** The same as `campaign.completed`, of a campaign that nobody received, or whose sending was cancelled. */
  event('campaign.failed', ended),
  event('campaign.cancelled', ended),
  /** Another person has to decide about a send. */
  event('approval.requested', approval),
  event('approval.decided', {
    ...approval,
    outcome: z.enum(['approved', 'rejected', 'withdrawn']),
    decidedBy: z.string(),
    reason: z.string().nullable(),
  }),
  /** At most 500 contacts that entered an automation, each with its cause as in the automation's entries. */
  event('automation.entered', {
    ...ofTenant,
    automationId: z.string(),
    contacts: z.array(
      z.object({
        contactId: z.string(),
        entryId: z.string(),
        enteredAt: timestamp,
        cause: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  event('automation.paused', {
    ...ofTenant,
    automationId: z.string(),
    name: z.string(),
    reason: z.enum(pauseReasons),
  }),
  /** At most 500 conversations with contacts of one service number; null for those that no campaign led to. */
  event('conversation.opened', {
    ...conversations,
    conversations: z.array(z.object({ contactId: z.string(), sessionId: z.string(), openedAt: timestamp })),
  }),
  event('conversation.closed', {
    ...conversations,
    conversations: z.array(
      z.object({
        contactId: z.string(),
        sessionId: z.string(),
        closedAt: timestamp,
        messageCount: count.nullable(),
      }),
    ),
  }),
  /** At most 500 contacts that have left a service number. */
  event('contact.unfollowed', {
    ...ofTenant,
    serviceNumberId: z.string(),
    contacts: z.array(z.object({ contactId: z.string(), unfollowedAt: timestamp })),
  }),
  /** A list was replaced by an upload. */
  event('audience.imported', {
    ...ofTenant,
    audienceId: z.string(),
    name: z.string(),
    serviceNumberId: z.string(),
    contacts: count,
    duplicates: count,
    importedBy: z.string(),
  }),
  event('webhook.test', ofTenant),
]);
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;

/** An event as endpoints receive it, with its id. */
export const listedEventSchema = z
  .object({
    /** The `webhook-id` at every endpoint. */
    eventId: z.uuid(),
    type: z.enum(outgoingEventTypes),
    timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ListedEvent' });
export type ListedEvent = z.infer<typeof listedEventSchema>;

const listEventsQuery = z.object({
  limit: pageQuery.limit,
  /** The last event that was read; unknown, or older than 30 days: 410. */
  after: z.uuid().optional(),
  /** Repeated for several. */
  type: z
    .union([z.enum(outgoingEventTypes), z.array(z.enum(outgoingEventTypes)).max(outgoingEventTypes.length)])
    .optional(),
});
export type EventsQuery = z.output<typeof listEventsQuery>;

export const eventOperations = {
  listEvents: operation({
    method: 'get',
    path: '/events',
    tag: 'events',
    summary: 'Events of the last 30 days, oldest first, as endpoints receive them',
    description:
      'To catch up after a receiver was away, or instead of one: `after` is the `eventId` read last, and `nextCursor` the ' +
      'next `after` while there are more. An event never appears before one that was read already. They are written while the ' +
      'tenant has an endpoint, for the types that one receives, and of every type from the first call of this operation on.',
    access: 'write',
    query: listEventsQuery,
    status: 200,
    response: page(listedEventSchema),
    errors: ['gone'],
  }),
};
