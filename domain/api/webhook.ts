import { z } from 'zod';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { httpUrl, page, pageQuery, timestamp } from './primitives.ts';

/** Events of campaigns that a tenant can have sent to a webhook, signed as Standard Webhooks. */
export const outgoingEventTypes = [
  'campaign.sent',
  'campaign.completed',
  'subtask.unknown',
  'contact.clicked',
  'contact.tagged',
] as const;
export type OutgoingEventType = (typeof outgoingEventTypes)[number];

/** `webhook.test` goes to every webhook. */
const sentTypes = [...outgoingEventTypes, 'webhook.test'] as const;

const eventTypes = z
  .array(z.enum(outgoingEventTypes))
  .min(1)
  .max(outgoingEventTypes.length)
  .refine((types) => new Set(types).size === types.length, 'must name each type once');

export const eventWebhookSchema = z
  .object({
    etag,
    url: z.string(),
    eventTypes: z.array(z.enum(outgoingEventTypes)),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** Until when the secret before the present one signs as well; null if it does not. */
    previousUntil: timestamp.nullable(),
  })
  .meta({ id: 'EventWebhook' });
export type EventWebhook = z.infer<typeof eventWebhookSchema>;

/** `secret` where it was made in this call; it is never shown again. */
export const shownEventWebhookSchema = eventWebhookSchema
  .extend({ secret: z.string().optional() })
  .meta({ id: 'EventWebhookWithSecret' });

export const putEventWebhookSchema = z
  .object({
    url: httpUrl,
    eventTypes,
    /** `whsec_` and 24 to 64 bytes in base64. Left out, the present one stays, or one is made. */
    secret: z
      .string()
      .regex(/^whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==)?$|^whsec_([A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{3}=$/)
      .nullish(),
  })
  .meta({ id: 'PutEventWebhook' });
export type PutEventWebhook = z.infer<typeof putEventWebhookSchema>;

/** `failed`: not accepted for 3 days, or the webhook is gone. */
export const eventDeliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const eventDeliverySchema = z
  .object({
    deliveryId: z.string(),
    /** The `webhook-id` of each attempt. */
    eventId: z.string(),
    type: z.enum(sentTypes),
    campaignId: z.string().nullable(),
    /** Clicks, or contacts, in one event; null where it is not about contacts. */
    contacts: z.int().nullable(),
    status: z.enum(eventDeliveryStatuses),
    attempts: z.int(),
    /** The HTTP status of the last attempt; null if there was no response. */
    lastStatus: z.int().nullable(),
    /** Why there was no response; null if there was one, or no attempt yet. */
    lastError: z.string().nullable(),
    /** When it is due; earlier events of its campaign go first. Null once it has ended. */
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'EventDelivery' });
export type EventDelivery = z.infer<typeof eventDeliverySchema>;

const deliverySearchSchema = z.object({
  ...pageQuery,
  status: z.enum(eventDeliveryStatuses).optional(),
  type: z.enum(sentTypes).optional(),
});
export type DeliveryFilter = z.output<typeof deliverySearchSchema>;

const tag = 'webhook';

/** Where a tenant receives events of its campaigns. For people alone: no key can send data elsewhere. */
export const webhookOperations = {
  getWebhook: operation({
    method: 'get',
    path: '/webhook',
    tag,
    summary: 'Where events of campaigns are sent; null where they are not',
    access: 'admin',
    status: 200,
    response: z.object({ webhook: eventWebhookSchema.nullable() }).meta({ id: 'EventWebhookOrNone' }),
  }),
  putWebhook: operation({
    method: 'put',
    path: '/webhook',
    tag,
    summary: 'Sets where events of campaigns are sent, and which',
    description:
      'A secret is made with the webhook and shown in this response alone. One that is given takes the place of the ' +
      'present one, which signs as well for 24 h. Addresses inside private networks are refused, and so is http in ' +
      'production. Events that happened before are not sent.',
    access: 'admin',
    headers: ifMatch,
    body: putEventWebhookSchema,
    status: 200,
    response: shownEventWebhookSchema,
    errors: ['stale', 'invalid_content'],
  }),
  deleteWebhook: operation({
    method: 'delete',
    path: '/webhook',
    tag,
    summary: 'Stops sending events; what was not delivered stays undelivered, and the secret is deleted',
    access: 'admin',
    headers: ifMatch,
    status: 204,
    errors: ['stale'],
  }),
  rotateWebhookSecret: operation({
    method: 'post',
    path: '/webhook:rotate-secret',
    tag,
    summary: 'Makes a new secret, shown in this response alone; the one before signs as well for 24 h',
    access: 'admin',
    status: 200,
    response: shownEventWebhookSchema,
    errors: ['invalid_state'],
  }),
  testWebhook: operation({
    method: 'post',
    path: '/webhook:test',
    tag,
    summary: 'Sends an event `webhook.test`',
    access: 'admin',
    status: 200,
    response: eventDeliverySchema,
    errors: ['invalid_state'],
  }),
  listWebhookDeliveries: operation({
    method: 'get',
    path: '/webhook/deliveries',
    tag,
    summary: 'Events of the last 30 days and what became of each, newest first',
    access: 'admin',
    query: deliverySearchSchema,
    status: 200,
    response: page(eventDeliverySchema),
  }),
  redeliverEvent: operation({
    method: 'post',
    path: '/webhook/deliveries/{deliveryId}:redeliver',
    tag,
    summary: 'Delivers an event again, now',
    access: 'admin',
    params: z.object({ deliveryId: z.uuid() }),
    status: 200,
    response: eventDeliverySchema,
    errors: ['not_found', 'invalid_state'],
  }),
};
