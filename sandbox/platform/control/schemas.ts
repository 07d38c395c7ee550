import { z } from 'zod';

const id = z.string().min(1).max(200);
const instant = z.iso.datetime({ offset: true });

export const tenantSchema = z.object({
  platformTenantId: z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/),
  name: z.string().min(1).max(200),
  type: z.string().min(1).max(64).default('enterprise'),
  serviceNumbers: z.array(z.object({ serviceNumberId: id, name: z.string().min(1) })).default([]),
});

const contactFields = {
  displayName: z.string().optional(),
  channel: z.string().optional(),
  language: z.string().optional(),
  region: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
};

export const contactsSchema = z
  .object({
    tenant: id,
    serviceNumberId: id,
    /** This many generated contacts, with ids `<prefix>000001` … */
    count: z.number().int().min(1).max(2_000_000).optional(),
    prefix: z.string().max(100).optional(),
    contacts: z
      .array(z.object({ contactId: id, ...contactFields }))
      .max(100_000)
      .optional(),
    emit: z.boolean().default(false),
    /** Respond only when every event has been delivered. */
    wait: z.boolean().default(false),
  })
  .refine((body) => (body.count === undefined) !== (body.contacts === undefined), {
    message: 'give either count or contacts',
  });

export const announceSchema = z.object({ tenant: id, serviceNumberId: id, wait: z.boolean().default(false) });

export const contactActionSchema = z.object({
  serviceNumberId: id,
  action: z.enum(['enter', 'follow', 'unfollow', 'unsubscribe', 'resubscribe', 'update']),
  contactIds: z.array(id).min(1).max(100_000),
  changes: z.object(contactFields).default({}),
  emit: z.boolean().default(true),
  occurredAt: instant.optional(),
});

export const tagSchema = z.object({
  serviceNumberId: id,
  tagId: id,
  name: z.string().min(1),
  deleted: z.boolean().default(false),
});

const oneClick = z.object({
  taskId: id,
  contactId: id,
  messageIndex: z.number().int().min(0).default(0),
  actionIndex: z.number().int().min(0).default(0),
  clickedAt: instant.optional(),
  /** How many times the same event is delivered. */
  times: z.number().int().min(1).max(1000).default(1),
  /** The number of clicks, each with its own event. */
  distinctEvents: z.number().int().min(1).max(1000).default(1),
});
export const clicksSchema = z.union([oneClick, z.object({ clicks: z.array(oneClick).min(1).max(100_000) })]);

export const closeSessionSchema = z.object({
  durationSeconds: z.number().min(0).default(120),
  messageCount: z.number().int().min(0).default(4),
  agentId: z.string().min(1).default('agent-1'),
  closedAt: instant.optional(),
  times: z.number().int().min(1).max(1000).default(1),
});

export const webhookSchema = z.object({
  tenant: id,
  eventType: z.string().min(1),
  serviceNumberId: id.optional(),
  data: z.record(z.string(), z.unknown()),
  eventId: id.optional(),
  occurredAt: instant.optional(),
  times: z.number().int().min(1).max(1000).default(1),
  /** Respond only when all have been delivered or rejected. */
  wait: z.boolean().default(false),
});

export const personSchema = z.object({
  sub: id,
  name: z.string().min(1),
  tenantId: id,
  roles: z.array(z.enum(['tenant_admin', 'marketing_operator', 'viewer', 'order_admin'])),
});

export const tokenSchema = z.object({
  sub: id,
  name: z.string().default(''),
  tenantId: id,
  roles: z.array(z.string()),
  expiresInSeconds: z.number().int().optional(),
});

/** The maximum number of items; the newest are kept. */
const listed = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(1000)
    .transform((limit) => Math.min(limit, 20_000)),
};
const flag = z.enum(['0', '1']).optional();

/** Which items a list covers; a filter on a field that its items do not have is ignored. */
export const filtersQuery = z
  .object({
    tenant: z.string(),
    tenantIntegrationId: z.string(),
    taskId: z.string(),
    contactId: z.string(),
    noticeId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    status: z.string(),
    serviceNumberId: z.string(),
    sourceId: z.string(),
  })
  .partial();
export type Filters = z.infer<typeof filtersQuery>;

export const itemsQuery = filtersQuery.extend(listed);
export const tasksQuery = itemsQuery.extend({ contacts: flag });
export const deliveriesQuery = itemsQuery.extend({ pending: flag });

export const callsQuery = z.object({
  route: z.string().optional(),
  /** Only calls with a higher number. */
  since: z.coerce.number().default(0),
  bodies: flag,
  ...listed,
});

export const contactsQuery = z.object({
  serviceNumberId: z.string().min(1),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce
    .number()
    .int()
    .min(0)
    .default(50)
    .transform((limit) => Math.min(limit, 10_000)),
});
