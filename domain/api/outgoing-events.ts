import { z } from 'zod';
import { timestamp } from './primitives.ts';

/** Outgoing events by type. `timestamp` is when the event was written. */

const ofTenant = { tenantId: z.string() };
const ofCampaign = { ...ofTenant, campaignId: z.string() };
const count = z.int();

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
  event('campaign.completed', {
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
  }),
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
  event('webhook.test', ofTenant),
]);
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;
