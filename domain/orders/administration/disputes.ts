import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { orderId as identifier, orderText } from '../requests.ts';
import { titleField } from '../order-title.ts';

/** Money of a charge that its payer claims back through their bank. */

export const disputeOutcomes = ['won', 'lost'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

export const disputeStatuses = ['open', ...disputeOutcomes] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export const disputeSchema = z
  .object({
    disputeId: z.string(),
    orderId: z.string(),
    orderNo: z.string(),
    tenantId: z.string(),
    chargeId: z.string(),
    /** What the payer claims, in units. */
    amount: z.number(),
    currency: z.string(),
    reason: z.string(),
    /** Until when the gateway takes evidence. */
    dueAt: timestamp,
    /** `won`: the merchant keeps the money. `lost`: the payer has it back. */
    status: z.enum(disputeStatuses),
    openedAt: timestamp,
    closedAt: timestamp.nullable(),
    /** More is claimed than was left of the charge, and nobody has noted anything since. */
    needsStaff: z.boolean(),
    /** What staff noted, newest first. */
    notes: z.array(z.object({ author: z.string(), authorName: z.string(), text: z.string(), at: timestamp })),
  })
  .meta({ id: 'Dispute' });
export type DisputeData = z.infer<typeof disputeSchema>;

export const noteDisputeSchema = z.object({ text: orderText.trim().min(1) }).meta({ id: 'NoteDispute' });

/** Without `tenantId`: of all tenants of staff. */
export const disputeSearchSchema = z.object({
  status: z.enum(disputeStatuses).optional(),
  tenantId: identifier.optional(),
  ...pagePart,
});

export const disputePageSchema = page(disputeSchema.extend(titleField)).meta({ id: 'DisputePage' });
export type DisputePage = z.infer<typeof disputePageSchema>;
