import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { MAX_POINTS, moneySchema } from '../money.ts';
import { orderId as identifier, orderText } from '../requests.ts';
import { titleField } from '../order-title.ts';

/** Refunds: of money that no order accepts, and of completed orders by staff. */

/** So many pieces of one line of an order. */
export const piecesSchema = z.object({ lineId: identifier, qty: z.int().min(1).max(MAX_POINTS) });

export const refundOrderSchema = z
  .object({
    /** In units; what is left where missing. */
    amount: moneySchema.nullish(),
    /** Instead of an amount: pieces of lines, each line once. Their money is their share of what was paid. */
    lines: z.array(piecesSchema).min(1).nullish(),
    reason: orderText.min(1),
    /** The same key refunds only once. */
    key: identifier,
    /** Gives points and coupons back: those of `lines`, or all that is left, which is only possible where all money goes back. */
    restorePoints: z.boolean().nullish(),
    /** Returns goods to stock: those of `lines`, or all that is left, which is only possible where all money goes back. */
    restock: z.boolean().nullish(),
  })
  .superRefine(({ amount, lines }, context) => {
    if (!lines) return;
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (amount !== null && amount !== undefined) fault(['lines'], 'must not come with amount');
    const ids = lines.map(({ lineId }) => lineId);
    for (const [index, lineId] of ids.entries())
      if (ids.indexOf(lineId) < index) fault(['lines', index, 'lineId'], 'must not name a line twice');
  })
  .meta({ id: 'RefundOrder' });
export type RefundOrder = z.infer<typeof refundOrderSchema>;

export const resolveRefundSchema = z
  .object({ outcome: z.enum(['retry', 'done_elsewhere']), note: orderText.min(1) })
  .meta({ id: 'ResolveRefund' });
export type ResolveRefund = z.infer<typeof resolveRefundSchema>;

/** `needs_staff`: the gateway rejected it for good, or did not show the money for 24 h. */
export const refundStatuses = ['pending', 'confirmed', 'needs_staff'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export const refundOrigins = ['service', 'gateway', 'dispute'] as const;
export type RefundOrigin = (typeof refundOrigins)[number];

export const refundSchema = z
  .object({
    /** The charge's id where the money of a charge goes back because no order accepts it. */
    refundId: z.string(),
    tenantId: z.string(),
    /** Null where only points were given back. */
    chargeId: z.string().nullable(),
    /** Null for money of an unknown order. */
    orderId: z.string().nullable(),
    status: z.enum(refundStatuses),
    /** In units; null until the charge was read. */
    amount: z.number().nullable(),
    currency: z.string().nullable(),
    /** `unaccepted`: no order accepts the money. `staff`: of a completed order, by its staff or at the gateway's desk. */
    kind: z.enum(['unaccepted', 'staff']),
    /** `gateway`: made at its desk, without any request of ours. `dispute`: lost to the payer in a dispute. */
    origin: z.enum(refundOrigins),
    /** The gateway's own id of it; null while it is not known. */
    gatewayRefundId: z.string().nullable(),
    reason: z.string().nullable(),
    requestedBy: z.string().nullable(),
    /** Who else approved it; null where nobody had to. */
    approvedBy: z.string().nullable(),
    restorePoints: z.boolean(),
    restock: z.boolean(),
    /** The pieces that it is for; null where it is of an amount. */
    lines: z.array(piecesSchema).nullable(),
    needsStaff: z.boolean(),
    /** Why the last request did not succeed. */
    lastError: z.string().nullable(),
    decidedAt: timestamp,
    confirmedAt: timestamp.nullable(),
    resolution: z.enum(['retry', 'done_elsewhere']).nullable(),
    resolvedBy: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Refund' });
export type RefundData = z.infer<typeof refundSchema>;

/** Without `tenantId`: of all tenants of staff. */
export const refundSearchSchema = z.object({
  status: z.enum(refundStatuses).optional(),
  tenantId: identifier.optional(),
  ...pagePart,
});

export const refundPageSchema = page(refundSchema.extend(titleField)).meta({ id: 'RefundPage' });
export type RefundPage = z.infer<typeof refundPageSchema>;
