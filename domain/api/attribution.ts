import { z } from 'zod';
import { operation } from './operation.ts';
import { timestamp } from './primitives.ts';

/**
 * What the order service tells the backend about orders that came from links of campaigns or name their contact, under
 * `/internal/v1` of the order service, with INTERNAL_API_SECRET as the bearer token. Nothing here names a payer.
 */

/** Entries of one call at most. */
const entriesAtOnce = 500;

const entrySchema = z.object({
  /** Entries are in the order of it; whoever has read up to one never finds another before it. */
  position: z.int(),
  /** Of the ledger of cash: the same entry, whatever its position. */
  movement: z.string(),
  platformTenantId: z.string(),
  /** The campaign that it counts for, and the button; all null where it counts for none. */
  campaignId: z.string().nullable(),
  subTaskKey: z.string().nullable(),
  messageIndex: z.int().nullable(),
  actionIndex: z.int().nullable(),
  /** The contact that the shop named; null where it named none. An order service of the release before names none. */
  contact: z
    .object({ serviceNumberId: z.string(), contactId: z.string(), orderedAt: timestamp })
    .nullable()
    .default(null),
  orderId: z.string(),
  kind: z.enum(['payment', 'refund']),
  /** In minor units of the currency; negative for a refund. */
  amountMinor: z.int(),
  currency: z.string(),
  at: timestamp,
});
export type AttributedEntry = z.infer<typeof entrySchema>;

const totalSchema = z.object({
  platformTenantId: z.string(),
  campaignId: z.string(),
  currency: z.string(),
  /** Received less refunded, in minor units. */
  netMinor: z.int(),
});
export type AttributedTotal = z.infer<typeof totalSchema>;

export const attributedEntriesSchema = z.object({ entries: z.array(entrySchema) });

const campaignSchema = z.object({ platformTenantId: z.string(), campaignId: z.string() });
/** A campaign as the order service knows it. */
export type AttributedCampaign = z.infer<typeof campaignSchema>;

export const attributedTotalsSchema = z.object({
  /** The last entry of the feed that the sums contain. */
  position: z.int(),
  totals: z.array(totalSchema),
  /** The campaigns that were summed, also those whose sum is 0. */
  campaigns: z.array(campaignSchema),
  /** Up to which entry of the ledger of cash changes were looked for: what the next comparison begins after. */
  through: z.int(),
  /** The last campaign of the page; null at the end. */
  next: campaignSchema.nullable(),
});
export type AttributedTotals = z.infer<typeof attributedTotalsSchema>;

const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const attributionOperations = {
  listEntries: operation({
    method: 'get',
    path: '/attributed-entries',
    tag: 'attribution',
    summary: 'Payments and refunds of orders from campaigns, or of named contacts, after a position',
    access: 'service',
    query: z.object({
      after: position.default(0),
      /** The last position that is wanted; all where absent. */
      through: position.optional(),
      limit: z.coerce.number().int().min(1).max(entriesAtOnce).default(entriesAtOnce),
    }),
    status: 200,
    response: attributedEntriesSchema,
  }),
  readTotals: operation({
    method: 'get',
    path: '/attributed-totals',
    tag: 'attribution',
    summary: 'What campaigns brought in according to the ledger of cash, and the last entry that it contains',
    access: 'service',
    query: z.object({
      /** Only campaigns about which cash was booked after this entry of the ledger; all where absent. */
      since: position.optional(),
      /** `through` of the first page, for those after it. */
      through: position.optional(),
      afterTenantId: z.string().optional(),
      afterCampaignId: z.string().optional(),
      /** Orders of one page, unless one campaign has more; all of them where absent. */
      limit: z.coerce.number().int().min(1).optional(),
    }),
    status: 200,
    response: attributedTotalsSchema,
  }),
};
