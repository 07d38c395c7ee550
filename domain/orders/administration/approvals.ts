import { z } from 'zod';
import { timestamp } from '#domain/api/primitives.ts';
import type { Minor } from '../money.ts';
import { orderText } from '../requests.ts';
import { piecesSchema } from './refunds.ts';

/** Money that staff give back only after another of them approves. */

/** What waits: the refund of a completed order, of a flagged one, or of money that fits no order. */
export const approvalKinds = ['order_refund', 'flag_refund', 'callback_refund'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** `lapsed`: meanwhile something else was decided, so that it cannot be carried out any more. */
export const approvalStatuses = ['waiting', 'approved', 'rejected', 'withdrawn', 'lapsed'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const approvalSchema = z
  .object({
    approvalId: z.string(),
    tenantId: z.string(),
    kind: z.enum(approvalKinds),
    /** Null for money that fits no order. */
    orderId: z.string().nullable(),
    /** The callback that reports such money; null otherwise. */
    eventId: z.string().nullable(),
    /** In units. Of a flagged order and of a callback it is what is reported; what goes back is what came. */
    amount: z.number(),
    currency: z.string(),
    reason: z.string().nullable(),
    restorePoints: z.boolean(),
    restock: z.boolean(),
    /** The pieces that it is for; null where it is of an amount. */
    lines: z.array(piecesSchema).nullable(),
    status: z.enum(approvalStatuses),
    requestedBy: z.string(),
    requestedByName: z.string(),
    requestedAt: timestamp,
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: timestamp.nullable(),
    /** Why it was rejected. */
    decisionReason: z.string().nullable(),
  })
  .meta({ id: 'RefundApproval' });
export type ApprovalData = z.infer<typeof approvalSchema>;

/** Whoever asked withdraws; somebody else approves or rejects. */
export const resolveApprovalSchema = z
  .object({
    outcome: z.enum(['approve', 'reject', 'withdraw']),
    /** Required to reject. */
    reason: orderText.nullish(),
  })
  .superRefine(({ outcome, reason }, context) => {
    if (outcome === 'reject' && !reason?.trim())
      context.addIssue({ code: 'custom', path: ['reason'], message: 'is required to reject' });
  })
  .meta({ id: 'ResolveApproval' });
export type ResolveApproval = z.infer<typeof resolveApprovalSchema>;

/** Up to which amount one member of staff of a tenant refunds alone. */
export interface RefundLimit {
  /** Null if there is no limit. */
  aboveMinor: Minor | null;
  /** The tenant's currency. */
  currency: string;
}

/**
 * Whether somebody else has to approve. What one person gave back of the same order before counts as well, or parts would
 * add up to any amount; amounts in another currency than the limit's cannot be compared with it.
 */
export function needsApproval(
  { aboveMinor, currency }: RefundLimit,
  given: { amountMinor: Minor; currency: string; earlierMinor: Minor },
): boolean {
  if (aboveMinor === null || given.amountMinor === 0) return false;
  return given.currency !== currency || given.amountMinor + given.earlierMinor > aboveMinor;
}
