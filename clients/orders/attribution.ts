import {
  type AttributedEntry,
  attributedEntriesSchema,
  type AttributedTotal,
  attributedTotalsSchema,
  attributionOperations,
} from '#domain/api/attribution.ts';
import { createHttpExchange } from '../http/exchange.ts';

const CALL_TIMEOUT_MS = 10_000;
/** One of its own, since nothing else calls the order service. */
const CONNECTIONS = 2;
/** Far longer than 500 entries; the sums of 100,000 campaigns are 12 MB. */
const MAXIMUM_RESPONSE_BYTES = 64 * 1_048_576;

/** What the order service tells about orders from campaigns. */
export interface AttributionFeed {
  /** Entries after a position, at most 500, in order; up to `through` where it is given. @throws Error */
  entries(after: number, through?: number): Promise<AttributedEntry[]>;
  /** @throws Error */
  totals(): Promise<{ position: number; totals: AttributedTotal[] }>;
}

export interface AttributionClient extends AttributionFeed {
  destroy(): Promise<void>;
}

export interface AttributionClientOptions {
  baseUrl: string;
  /** Shared by the services. */
  secret: string;
  /** Certificates (PEM) to trust instead of the machine's authorities. */
  authorities?: Buffer | undefined;
}

/** Calls of the backend to the order service. */
export function createAttributionClient({ baseUrl, secret, authorities }: AttributionClientOptions): AttributionClient {
  const exchange = createHttpExchange({
    timeoutMs: CALL_TIMEOUT_MS,
    connections: CONNECTIONS,
    maximumResponseBytes: MAXIMUM_RESPONSE_BYTES,
    authorities,
  });
  const { listEntries, readTotals } = attributionOperations;
  async function get(path: string): Promise<unknown> {
    const result = await exchange.send({
      method: 'GET',
      url: new URL(`${baseUrl}/internal/v1${path}`),
      headers: { authorization: `Bearer ${secret}` },
      body: null,
    });
    if (result.kind === 'failed') throw new Error(`The order service did not respond (${result.code})`, result);
    const { status, body } = result.response;
    if (status !== 200) throw new Error(`The order service responded ${status}`);
    return JSON.parse(body);
  }
  return {
    async entries(after, through) {
      const query = new URLSearchParams({
        after: `${after}`,
        ...(through === undefined ? {} : { through: `${through}` }),
      });
      return attributedEntriesSchema.parse(await get(`${listEntries.path}?${query}`)).entries;
    },
    async totals() {
      return attributedTotalsSchema.parse(await get(readTotals.path));
    },
    destroy: () => exchange.destroy(),
  };
}
