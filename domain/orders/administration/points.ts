import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { pointKinds } from '../administration.ts';
import { deltaSchema } from '../money.ts';
import { orderId as identifier, orderText, storedId } from '../requests.ts';
import { balancesSchema } from '../responses.ts';
import { titleField } from '../order-title.ts';

/** Accounts of points and their movements, as staff see them. */

export const adjustPointsSchema = z
  .object({
    tenantId: identifier,
    userId: storedId,
    kind: z.enum(pointKinds),
    /** Below 0 takes available points back. */
    delta: deltaSchema,
    reason: orderText.min(1),
    /** The same key adjusts only once. */
    key: storedId,
  })
  .meta({ id: 'AdjustPoints' });
export type AdjustPoints = z.infer<typeof adjustPointsSchema>;

/** Without `tenantId`: the session's own tenant. */
export const accountSearchSchema = z.object({
  tenantId: identifier.optional(),
  /** The beginning of a user id. */
  q: orderText.optional(),
  ...pagePart,
});

export const accountPageSchema = page(z.object({ userId: z.string(), points: balancesSchema })).meta({
  id: 'PointAccountPage',
});

export const entrySearchSchema = z.object({
  tenantId: identifier,
  userId: identifier,
  kind: z.enum(pointKinds).optional(),
  ...pagePart,
});

export const movementKinds = ['grant', 'adjust', 'reserve', 'commit', 'release', 'return'] as const;
export type MovementKind = (typeof movementKinds)[number];

const pointEntrySchema = z.object({
  /** Unique: `<kind of movement>:…`. */
  movement: z.string(),
  movementKind: z.enum(movementKinds),
  kind: z.enum(pointKinds),
  /** What moved; below 0 only where staff took points back. */
  amount: z.int(),
  orderId: z.string().nullable(),
  /** Who granted or adjusted; null for what an order moved. */
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  at: timestamp,
});

export type PointEntryData = z.infer<typeof pointEntrySchema>;

export const entryPageSchema = page(pointEntrySchema.extend(titleField)).meta({ id: 'PointEntryPage' });
