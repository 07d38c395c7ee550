import { z } from 'zod';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { httpUrl, page, pageQuery, timestamp } from './primitives.ts';

/** Events that a tenant can have sent to its endpoints, signed as Standard Webhooks. */
export const outgoingEventTypes = [
  'campaign.sent',
  'campaign.completed',
  'subtask.unknown',
  'contact.clicked',
  'contact.tagged',
  'campaign.scheduled',
  'campaign.paused',
  'campaign.failed',
  'campaign.cancelled',
  'approval.requested',
  'approval.decided',
  'automation.entered',
  'automation.paused',
  'conversation.opened',
  'conversation.closed',
  'contact.unfollowed',
  'audience.imported',
] as const;
export type OutgoingEventType = (typeof outgoingEventTypes)[number];

/** `webhook.test` goes to the endpoint that is tested. */
const sentTypes = [...outgoingEventTypes, 'webhook.test'] as const;

const eventTypes = z
  .array(z.enum(outgoingEventTypes))
  .min(1)
  .max(outgoingEventTypes.length)
  .refine((types) => new Set(types).size === types.length, 'must name each type once');

/** How many endpoints a tenant may have. */
export const MAX_ENDPOINTS = 10;

/** Why events wait: somebody paused the endpoint, or each of at least three attempts of a day failed. */
export const endpointPauseReasons = ['operator', 'failing'] as const;
export type EndpointPauseReason = (typeof endpointPauseReasons)[number];

export const eventWebhookSchema = z
  .object({
    etag,
    endpointId: z.uuid(),
    status: z.enum(['active', 'paused']),
    /** Null while it is active. */
    pauseReason: z.enum(endpointPauseReasons).nullable(),
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

const patchEndpointSchema = z
  .object({
    url: httpUrl.optional(),
    eventTypes: eventTypes.optional(),
    /** `active` sends what waits, in order; `paused` lets events wait. */
    status: z.enum(['active', 'paused']).optional(),
  })
  .meta({ id: 'PatchWebhookEndpoint' });
export type PatchEndpoint = z.infer<typeof patchEndpointSchema>;

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

const endpoint = z.object({ endpointId: z.uuid() });

/** Where a tenant receives its events; `/webhook` is the oldest of its endpoints. For people alone: no key can send data elsewhere. */
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
    errors: ['not_found'],
  }),
  listWebhookEndpoints: operation({
    method: 'get',
    path: '/webhook-endpoints',
    tag,
    summary: 'Endpoints where events are sent, oldest first; at most ten',
    access: 'admin',
    status: 200,
    response: page(eventWebhookSchema),
  }),
  createWebhookEndpoint: operation({
    method: 'post',
    path: '/webhook-endpoints',
    tag,
    summary: 'Adds an endpoint where events are sent',
    description:
      'Its secret is shown in this response alone. Addresses inside private networks are refused, and so is http in ' +
      'production. Events that happened before are not sent. An eleventh endpoint is refused with `conflict`.',
    access: 'admin',
    body: putEventWebhookSchema,
    status: 201,
    response: shownEventWebhookSchema,
    errors: ['conflict', 'invalid_content'],
  }),
  getWebhookEndpoint: operation({
    method: 'get',
    path: '/webhook-endpoints/{endpointId}',
    tag,
    summary: 'One endpoint',
    access: 'admin',
    params: endpoint,
    status: 200,
    response: eventWebhookSchema,
    errors: ['not_found'],
  }),
  updateWebhookEndpoint: operation({
    method: 'patch',
    path: '/webhook-endpoints/{endpointId}',
    tag,
    summary: 'Changes an endpoint, pauses it, or has it receive events again',
    description: 'What waited for an endpoint that was paused is sent once it is active again, in order.',
    access: 'admin',
    params: endpoint,
    headers: ifMatch,
    body: patchEndpointSchema,
    readOnly: ['endpointId', 'createdAt'],
    status: 200,
    response: eventWebhookSchema,
    errors: ['not_found', 'stale', 'invalid_content'],
  }),
  deleteWebhookEndpoint: operation({
    method: 'delete',
    path: '/webhook-endpoints/{endpointId}',
    tag,
    summary: 'Removes an endpoint; what was not delivered there stays undelivered, and the secret is deleted',
    access: 'admin',
    params: endpoint,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale'],
  }),
  rotateEndpointSecret: operation({
    method: 'post',
    path: '/webhook-endpoints/{endpointId}:rotate-secret',
    tag,
    summary: 'Makes a new secret for an endpoint, shown in this response alone; the one before signs as well for 24 h',
    access: 'admin',
    params: endpoint,
    status: 200,
    response: shownEventWebhookSchema,
    errors: ['not_found'],
  }),
  testWebhookEndpoint: operation({
    method: 'post',
    path: '/webhook-endpoints/{endpointId}:test',
    tag,
    summary: 'Sends an event `webhook.test` to an endpoint',
    access: 'admin',
    params: endpoint,
    status: 200,
    response: eventDeliverySchema,
    errors: ['not_found'],
  }),
  listEndpointDeliveries: operation({
    method: 'get',
    path: '/webhook-endpoints/{endpointId}/deliveries',
    tag,
    summary: 'Events of the last 30 days for an endpoint and what became of each, newest first',
    access: 'admin',
    params: endpoint,
    query: deliverySearchSchema,
    status: 200,
    response: page(eventDeliverySchema),
    errors: ['not_found'],
  }),
  redeliverEndpointEvent: operation({
    method: 'post',
    path: '/webhook-endpoints/{endpointId}/deliveries/{deliveryId}:redeliver',
    tag,
    summary: 'Delivers an event to an endpoint again, now',
    access: 'admin',
    params: endpoint.extend({ deliveryId: z.uuid() }),
    status: 200,
    response: eventDeliverySchema,
    errors: ['not_found'],
  }),
};
