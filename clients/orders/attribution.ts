import {
  type AttributedEntry,
  attributedEntriesSchema,
  type AttributedCampaign,
  type AttributedTotals,
  attributedTotalsSchema,
  attributionOperations,
} from '#domain/api/attribution.ts';
import { createInternalCalls, type OrderServiceOptions } from './internal-calls.ts';

const CALL_TIMEOUT_MS = 10_000;
const CONNECTIONS = 2;
/** Summed in a fraction of a second. */
const ORDERS_A_PAGE = 20_000;
/** Far longer than 500 entries, or the sums of 20,000 campaigns. */
const MAXIMUM_RESPONSE_BYTES = 64 * 1_048_576;

export interface TotalsPage {
  /** Only campaigns about which cash was booked after this entry of the ledger; null for all. */
  since: number | null;
  /** As the first page said; null for that one. */
  through: number | null;
  /** The last campaign of the page before; null for the first. */
  after: AttributedCampaign | null;
}

/** What the order service tells about orders from campaigns. */
export interface AttributionFeed {
  /** Entries after a position, at most 500, in order; up to `through` where it is given. @throws Error */
  entries(after: number, through?: number): Promise<AttributedEntry[]>;
  /** A page of the sums of campaigns, all of them or those about which cash was booked. @throws Error */
  totals(page: TotalsPage): Promise<AttributedTotals>;
}

export interface AttributionClient extends AttributionFeed {
  destroy(): Promise<void>;
}

/** Reads of the backend at the order service, about orders from campaigns. */
export function createAttributionClient(options: OrderServiceOptions): AttributionClient {
  const calls = createInternalCalls(options, {
    timeoutMs: CALL_TIMEOUT_MS,
    connections: CONNECTIONS,
    maximumResponseBytes: MAXIMUM_RESPONSE_BYTES,
  });
  const { listEntries, readTotals } = attributionOperations;
  return {
    async entries(after, through) {
      const query = new URLSearchParams({
        after: `${after}`,
        ...(through === undefined ? {} : { through: `${through}` }),
      });
      return attributedEntriesSchema.parse(await calls.get(listEntries.path, query)).entries;
    },
    async totals({ since, through, after }) {
      const query = new URLSearchParams({
        limit: `${ORDERS_A_PAGE}`,
        ...(since === null ? {} : { since: `${since}` }),
        ...(through === null ? {} : { through: `${through}` }),
        ...(after === null ? {} : { afterTenantId: after.platformTenantId, afterCampaignId: after.campaignId }),
      });
      return attributedTotalsSchema.parse(await calls.get(readTotals.path, query));
    },
    destroy: () => calls.destroy(),
  };
}
