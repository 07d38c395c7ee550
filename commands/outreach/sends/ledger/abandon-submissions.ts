import { type Database, firstRow, rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { abandoned, type ChunkRange, type DispatchKey, lockIfAbandoned } from '#db/outreach/sends/ledger/ledger.ts';
import { refreshCampaign } from './refresh-campaign.ts';

/**
 * Settles submissions whose call must have ended by `before` without anyone recording it: their process died. They
 * become `unknown`, or `pending` again if the platform deduplicates keys.
 * @returns how many.
 */
export function abandonSubmissions(
  database: Database,
  { before, repeatable, now, ...range }: DispatchKey & ChunkRange & { before: Date; repeatable: boolean; now: Date },
): Promise<number> {
  return database.transaction(async (transaction) => {
    const campaign = await firstRow<CampaignKey>(transaction, lockIfAbandoned, { ...range, before });
    if (!campaign) return 0;
    const found = await rows(
      transaction,
      `update broadcast_task set status = :status, error_code = 'outcome_unknown',
         error_message = 'The process that submitted it ended before the response arrived'
       where ${abandoned} returning 1`,
      { ...range, before, status: repeatable ? 'pending' : 'unknown' },
    );
    await refreshCampaign(transaction, campaign, now);
    return found.length;
  });
}
