import { z } from 'zod';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';

/** The kinds of objects that a change can affect. */
export const auditObjectTypes = [
  'integration',
  'tag',
  'smart_tag_rule',
  'audience',
  'campaign',
  'sub_task',
  'event',
  'contact',
  'session',
  'access',
  'service_token',
  'api_key',
  'copywriting',
  'webhook',
  'template',
  'repeat',
  'automation',
  'user',
] as const;
export type AuditObjectType = (typeof auditObjectTypes)[number];

export const auditEntrySchema = z
  .object({
    auditId: z.string(),
    at: timestamp,
    /** A platformUserId, `key:<id>` for an API key, `platform` for its lifecycle calls, `service:internal-api`, or `service:<name>` of who asked a tool. */
    actor: z.string(),
    /** `<object>.<verb>`, e.g. `campaign.send`. */
    action: z.string(),
    objectType: z.string(),
    objectId: z.string(),
    /** The object's current name; null if it has no name or no longer exists. */
    objectName: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    /** Our own id of the request. */
    requestId: z.string().nullable(),
    /** The `X-Request-Id` that the caller gave it; null if there was none. */
    callerRequestId: z.string().nullable(),
    /** False if a list left out a long `before` or `after`; the entry itself has them. */
    complete: z.boolean(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** What a list of entries can be limited to. */
export const auditFilter = {
  objectType: z.enum(auditObjectTypes).optional(),
  objectId: platformId.optional(),
  actor: platformId.optional(),
  /** A period is [from, to). */
  from: timestamp.optional(),
  to: timestamp.optional(),
};

export const auditOperations = {
  listAuditLog: operation({
    method: 'get',
    path: '/audit-log',
    tag: 'operations',
    summary: 'Who did what, newest first',
    access: 'read',
    query: z.object({ ...pageQuery, ...auditFilter }),
    status: 200,
    response: page(auditEntrySchema),
  }),
  getAuditEntry: operation({
    method: 'get',
    path: '/audit-log/{auditId}',
    tag: 'operations',
    summary: 'One entry with its full state before and after',
    access: 'read',
    params: z.object({ auditId: ownId }),
    status: 200,
    response: auditEntrySchema,
    errors: ['not_found'],
  }),
};
