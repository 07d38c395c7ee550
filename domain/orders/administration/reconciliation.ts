import { z } from 'zod';
import { page, timestamp } from '#domain/api/primitives.ts';

/** A comparison of one day (UTC) of a tenant's shop with the payment gateway's charges. */
const date = z.iso.date().refine((day) => day >= '0001', 'must be in the years 1 to 9999');

/** Without a date: every day that is over and was not compared completely. */
export const reconcileSchema = z.object({ date: date.nullish() }).meta({ id: 'Reconcile' });
export const reconciliationQuerySchema = z.object({ date });

/** `none`: nobody has compared this day. */
export const reconciliationStatuses = ['none', 'running', 'done', 'failed'] as const;
export type ReconciliationStatus = (typeof reconciliationStatuses)[number];

export const differenceKinds = [
  'paid_there_only',
  'paid_here_only',
  'amount_differs',
  'unknown_order',
  'refunded_there_only',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

const differenceSchema = z.object({
  kind: z.enum(differenceKinds),
  chargeId: z.string(),
  /** The gateway's id of the refund that only it has; null where the charge itself differs. */
  refundId: z.string().nullable(),
  orderId: z.string().nullable(),
  /** What we have received, in units; null for nothing. */
  ours: z.number().nullable(),
  /** What the gateway has received, or refunded, in units; null for nothing. */
  theirs: z.number().nullable(),
  /** Whether a rule has mended it: a lost callback, late money that is refunded, or a refund that is booked. */
  mended: z.boolean(),
});
export type Difference = z.infer<typeof differenceSchema>;

export const reconciliationSchema = z
  .object({
    date,
    status: z.enum(reconciliationStatuses),
    finishedAt: timestamp.nullable(),
    /** By charge; the first 1,000. */
    items: z.array(differenceSchema),
  })
  .meta({ id: 'Reconciliation' });

export const reconciliationDaySchema = z
  .object({
    date,
    status: z.enum(reconciliationStatuses),
    finishedAt: timestamp.nullable(),
    /** How many charges of the gateway were compared. */
    charges: z.int(),
    differences: z.int(),
    mended: z.int(),
  })
  .meta({ id: 'ReconciliationDay' });

export const reconciliationDayPageSchema = page(reconciliationDaySchema).meta({ id: 'ReconciliationDayPage' });
