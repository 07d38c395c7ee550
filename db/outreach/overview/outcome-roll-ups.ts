import { type Period } from '#domain/period.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { InsightScope } from './attention.ts';

const HOUR_MS = 3_600_000;

/** An outcome of campaigns, and its sum by UTC hour. */
interface Outcome {
  hours: string;
  sum: string;
  /** The table of its rows, with their campaign and time. */
  source: string;
  campaignId: string;
  at: string;
}

export const conversationsOpened: Outcome = {
  hours: 'conversation_hour',
  sum: 'opened',
  source: 'conversation',
  campaignId: 'campaign_id',
  at: 'opened_at',
};

/** Tags that campaigns earned. */
export const conversions: Outcome = {
  hours: 'conversion_hour',
  sum: 'contacts',
  source: 'tag_assignment',
  campaignId: 'source_campaign_id',
  at: 'assigned_at',
};

/** Whole hours of [from, to) from the roll-up, partial hours row by row. */
async function countBetween(
  transaction: Transaction,
  scope: InsightScope,
  { hours, sum, source, campaignId, at }: Outcome,
  [from, to]: [Date, Date],
): Promise<number> {
  const firstHour = new Date(Math.min(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS, to.getTime()));
  const endHour = new Date(Math.max(Math.floor(to.getTime() / HOUR_MS) * HOUR_MS, firstHour.getTime()));
  const own = (column: string) =>
    scope.serviceNumberId === undefined
      ? ''
      : `and ${column} in (select campaign_id from campaign
           where tenant_id = :tenantId and service_number_id = :serviceNumberId)`;
  const beside = (begin: string, end: string) =>
    `(select count(*) from ${source} where tenant_id = :tenantId and ${campaignId} is not null
       and ${at} >= ${begin} and ${at} < ${end} ${own(campaignId)})`;
  const found = await firstRow<{ count: number }>(
    transaction,
    `select coalesce((select sum(${sum}) from ${hours}
         where tenant_id = :tenantId and at >= :firstHour and at < :endHour ${own('campaign_id')}), 0)
       + ${beside(':from', ':firstHour')} + ${beside(':endHour', ':to')} as count`,
    { ...scope, from, firstHour, endHour, to },
  );
  return found?.count ?? 0;
}

/** How often it occurred in the period, and in the one before it. */
export async function readOutcomes(
  transaction: Transaction,
  scope: InsightScope,
  { previousFrom, from, to }: Period,
  outcome: Outcome,
): Promise<{ current: number; previous: number }> {
  return {
    current: await countBetween(transaction, scope, outcome, [from, to]),
    previous: await countBetween(transaction, scope, outcome, [previousFrom, from]),
  };
}
