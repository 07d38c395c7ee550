import { z } from 'zod';
import { operation } from './operation.ts';
import { page, pageQuery, timestamp } from './primitives.ts';
import { problemCodeSchema } from './problem.ts';

/** Why a webhook got a 4xx: `nonce`, `incomplete` and `too_large` are decided before the signature can be checked. */
export const refusalReasons = [
  'signature',
  'replaced_secret',
  'nonce',
  'nonce_replayed',
  'uninstalled',
  'too_large',
  'incomplete',
  'not_json',
  'schema',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export const webhookRefusalSchema = z
  .object({
    tenantIntegrationId: z.string(),
    reason: z.enum(refusalReasons),
    code: problemCodeSchema,
    /** The HTTP status that the platform got. */
    status: z.int(),
    /** How many calls of one minute. */
    calls: z.int(),
    firstAt: timestamp,
    lastAt: timestamp,
    /** Of the last call: its size if known, and what the body names if the signature held. */
    lastBytes: z.int().nullable(),
    lastEventId: z.string().nullable(),
    lastEventType: z.string().nullable(),
    /** The first place in it that does not match its schema, and what is wrong there. */
    lastDetail: z.string().nullable(),
  })
  .meta({ id: 'WebhookRefusal' });
export type WebhookRefusal = z.infer<typeof webhookRefusalSchema>;

/** Served by the BFF itself, which takes the webhooks. */
export const refusalOperations = {
  listWebhookRefusals: operation({
    method: 'get',
    path: '/webhook-refusals',
    tag: 'operations',
    summary: 'Webhooks of the tenant that were answered with a 4xx, newest first',
    description:
      'Calls of one minute with the same reason are one item. They are kept as long as events. Calls that name no known ' +
      'integration belong to no tenant and are in the metric `webhooks_total` alone.',
    access: 'read',
    query: z.object({ ...pageQuery, reason: z.enum(refusalReasons).optional() }),
    status: 200,
    response: page(webhookRefusalSchema),
  }),
};
