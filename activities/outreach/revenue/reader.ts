import { setTimeout } from 'node:timers/promises';
import type { AttributionFeed } from '#clients/orders/attribution.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { comparePage, comparisonToContinue } from '#db/outreach/revenue/comparison.ts';
import { addEntries, readPosition } from '#db/outreach/revenue/entries.ts';
import { inTurn } from '#db/turn.ts';
import type { Log } from '../deps.ts';

const REVENUE_READER = 'revenue reader';

/** How late a payment shows in the results of its campaign. */
const LOOK_EVERY_MS = 5000;

const COMPARE_EVERY_MS = 3_600_000;

/** How long a comparison that failed is left alone. */
const COMPARE_AGAIN_MS = 600_000;

/** Pages per round; the next one continues. */
const PAGES_AT_ONCE = 100;

export interface RevenueReaderDeps {
  database: Database;
  /** Of the keys by which erased contacts are known. */
  encryption: Encryption;
  feed: AttributionFeed;
  now: () => Date;
  log: Log;
}

/** Reads on from where the feed was left, up to its end or to a position. @returns whether that was reached */
export async function readRevenue(
  { database, encryption, feed }: RevenueReaderDeps,
  through?: number,
): Promise<boolean> {
  for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
    const after = await readPosition(database);
    if (through !== undefined && after >= through) return true;
    const entries = await feed.entries(after, through);
    if (entries.length === 0) return true;
    if (!(await addEntries(database, encryption, after, entries))) return false;
  }
  return false;
}

/**
 * Compares, every hour, what campaigns brought in with the order service's ledger, those about which anything was booked
 * since, and every week all of them: one page, both as of the same entry of the feed.
 * @returns how many of it differ; null if it was not time
 */
export async function compareRevenue(deps: RevenueReaderDeps, everyMs = COMPARE_EVERY_MS): Promise<number | null> {
  const { database, feed, now, log } = deps;
  const comparison = await comparisonToContinue(database, new Date(now().getTime() - everyMs));
  if (!comparison) return null;
  const page = await feed.totals(comparison);
  // Up to the very entry that the sums contain.
  if (!(await readRevenue(deps, page.position))) return null;
  const differing = await comparePage(database, comparison, page, now());
  if (differing > 0) log.error({ campaigns: differing }, 'revenue is not what the ledger of the orders says');
  return differing;
}

/** Reads the revenue of orders from campaigns, in one process at a time; a row holds the position. */
export function createRevenueReader(deps: RevenueReaderDeps): { run(): Promise<void>; shutdown(): void } {
  const stopping = new AbortController();
  let isFailing = false;
  let compareAfter = 0;
  /** One that fails must not keep revenue from being read, nor the feed's lock every few seconds. */
  async function compare(): Promise<void> {
    if (deps.now().getTime() < compareAfter) return;
    await compareRevenue(deps).catch((error: unknown) => {
      compareAfter = deps.now().getTime() + COMPARE_AGAIN_MS;
      deps.log.error({ err: error }, 'revenue could not be compared with the ledger of the orders');
    });
  }
  const look = () =>
    inTurn(deps.database, REVENUE_READER, async () => {
      await readRevenue(deps);
      await compare();
    });
  return {
    async run() {
      while (!stopping.signal.aborted) {
        try {
          await look();
          isFailing = false;
        } catch (error) {
          const message = 'what orders from campaigns brought in could not be read; trying again';
          if (!isFailing) deps.log.warn({ err: error }, message);
          isFailing = true;
        }
        await setTimeout(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    },
    shutdown: () => stopping.abort(),
  };
}
