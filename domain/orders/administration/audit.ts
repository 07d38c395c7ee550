import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { orderId as identifier } from '../requests.ts';

/** What staff did: every write of the administration; and what somebody was refused by role or tenant. */
export const auditActions = [
  'tenant.put',
  'tenant.adopt',
  'goods.put',
  'goods.stock',
  'coupon.put',
  'points.grant',
  'points.adjust',
  'order.resolve',
  'order.refund',
  'order.note',
  'order.invoice',
  'approval.request',
  'approval.approve',
  'approval.reject',
  'approval.withdraw',
  'refund.resolve',
  'callback.resolve',
  'dispute.note',
  'webhook.put',
  'webhook.delete',
  'webhook.test',
  'delivery.redeliver',
  'reconciliation.run',
  'access.refuse',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditSubjects = [
  'tenant',
  'goods',
  'coupon',
  'account',
  'order',
  'refund',
  'callback',
  'dispute',
  'webhook',
  'delivery',
  'reconciliation',
  'access',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];

/** Without `tenantId`: the session's own tenant. */
export const auditSearchSchema = z.object({
  tenantId: identifier.optional(),
  actor: identifier.optional(),
  ...pagePart,
});

const auditEntrySchema = z.object({
  entryId: z.string(),
  at: timestamp,
  /** The user id of whoever did it. */
  actor: z.string(),
  action: z.enum(auditActions),
  /** An account's id is `<userId>/<kind>`; that of `access` is the operation, as `PUT /transaction/v1/admin/tenants/{id}`. */
  subject: z.object({ type: z.enum(auditSubjects), id: z.string() }),
  /** Null where there was nothing before. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** Our own id of the request. */
  requestId: z.string().nullable(),
  /** The `X-Request-Id` that the caller gave it; null if there was none. */
  callerRequestId: z.string().nullable(),
});
export type AuditEntryData = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = page(auditEntrySchema).meta({ id: 'OrderAuditPage' });
