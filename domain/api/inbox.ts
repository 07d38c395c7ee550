import { z } from 'zod';
import { handledEventTypes } from './events.ts';
import { operation } from './operation.ts';
import { label, page, pageQuery, platformId, text, timestamp } from './primitives.ts';

export const inboxStatuses = ['stored', 'processed', 'failed', 'dismissed'] as const;
export type InboxStatus = (typeof inboxStatuses)[number];

/** What an event waits for while its context does not exist yet, for example `task:t-1`. */
const waitingFor = z.string();

export const inboxItemSchema = z
  .object({
    eventId: z.string(),
    eventType: z.string(),
    status: z.enum(inboxStatuses),
    receivedAt: timestamp,
    waitingFor: waitingFor.optional(),
    /** How often it was handled, and when it will be again; null if never. */
    attempts: z.int(),
    nextAttemptAt: timestamp.nullable(),
    error: z.string().optional(),
    /** Its subject, as far as known; null if its data is large or no longer kept. */
    serviceNumberId: z.string().nullable(),
    contactId: z.string().nullable(),
    campaignId: z.string().nullable(),
    campaignName: z.string().nullable(),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof inboxItemSchema>;

export const inboxEventSchema = inboxItemSchema
  .extend({
    occurredAt: timestamp,
    processedAt: timestamp.nullable(),
    waitingFor: waitingFor.nullable(),
    /** The event's data as JSON text, verbatim; null once its 90 days have passed. */
    payload: z.string().nullable(),
    /**
     * Of the payload, what was repaired before it was used, as JSON pointers: text that only describes a contact or a
     * conversation, and could not be stored as it came.
     */
    repaired: z.array(z.string()),
  })
  .meta({ id: 'InboxEvent' });
export type InboxEvent = z.infer<typeof inboxEventSchema>;

/** Unprocessed events, counted by what they have in common. */
export const inboxKindSchema = z
  .object({
    status: z.enum(['stored', 'failed']),
    eventType: z.string(),
    /** For stored events: what they wait for, without its id, for example `task`; null if they are due. */
    waitingFor: z.string().nullable(),
    /** For failed events: the reason, without ids. */
    reason: z.string().nullable(),
    count: z.int(),
    oldestReceivedAt: timestamp,
  })
  .meta({ id: 'InboxKind' });
export type InboxKind = z.infer<typeof inboxKindSchema>;

const eventId = z.object({ eventId: platformId });
const reason = text(1000);

export const inboxOperations = {
  listInboxEvents: operation({
    method: 'get',
    path: '/event-inbox',
    tag: 'operations',
    summary: 'Received events, newest first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      /** The events with this id: several if the application was installed again. */
      eventId: platformId.optional(),
      /** The event, or the events of the contact, with this id: as far as they were handled once. */
      q: platformId.optional(),
      /** The events that clicks and conversations of this campaign came from. */
      campaignId: platformId.optional(),
      status: z.enum(inboxStatuses).optional(),
      eventType: z.enum(handledEventTypes).optional(),
      /** Of the stored events, those whose context is missing or those that are due. */
      waiting: z.enum(['true', 'false']).optional(),
      /** A reason as given in the summary. */
      reason: reason.optional(),
    }),
    status: 200,
    response: page(inboxItemSchema),
  }),
  getInboxSummary: operation({
    method: 'get',
    path: '/event-inbox:summary',
    tag: 'operations',
    summary: 'How many events are waiting or have failed, and of which kind; the 100 largest kinds',
    access: 'read',
    status: 200,
    response: z.object({ kinds: z.array(inboxKindSchema) }),
  }),
  replayInboxKind: operation({
    method: 'post',
    path: '/event-inbox:replay',
    tag: 'operations',
    summary: 'Has all failed events of a kind handled again',
    access: 'write',
    body: z.object({ eventType: z.enum(handledEventTypes), reason: reason.optional() }),
    status: 200,
    /** `left`: how many of them one call did not get to; another call continues with them. */
    response: z.object({ replayed: z.int(), left: z.int() }),
  }),
  getInboxEvent: operation({
    method: 'get',
    path: '/event-inbox/{eventId}',
    tag: 'operations',
    summary: 'One received event with its payload',
    access: 'read',
    params: eventId,
    status: 200,
    response: inboxEventSchema,
    errors: ['not_found'],
  }),
  replayInboxEvent: operation({
    method: 'post',
    path: '/event-inbox/{eventId}:replay',
    tag: 'operations',
    summary: 'Has a failed or dismissed event handled again',
    access: 'write',
    params: eventId,
    status: 200,
    response: inboxEventSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  dismissInboxEvent: operation({
    method: 'post',
    path: '/event-inbox/{eventId}:dismiss',
    tag: 'operations',
    summary: 'Puts a failed event aside, with a reason for the audit log; it can still be replayed',
    access: 'write',
    params: eventId,
    body: z.object({ reason: label(1000) }),
    status: 200,
    response: inboxEventSchema,
    errors: ['not_found', 'invalid_state'],
  }),
};
