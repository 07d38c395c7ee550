import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { doubted, unfinished } from '#db/outreach/sends/ledger/restored.ts';
import { holdingCampaign } from './holding-campaign.ts';
import { refreshCampaign } from './refresh-campaign.ts';

/** A send that was not finished in the backup, and may have gone on since. */
export interface RestoredSend extends CampaignKey {
  name: string;
  /** Sub-tasks that became `unknown`, and their contacts. */
  tasks: number;
  contacts: number;
  /** Whether a part of its audience was not in sub-tasks yet: it is paused. */
  paused: boolean;
}

async function doubt(transaction: Transaction, key: CampaignKey, now: Date): Promise<Omit<RestoredSend, 'name'>> {
  const paused = await firstRow<{ unfrozen: boolean }>(
    transaction,
    `select exists (select 1 from dispatch where campaign_id = :campaignId and frozen_at is null and freeze_at <= :now)
       as unfrozen`,
    { ...key, now },
  );
  const isPaused = paused?.unfrozen === true && (await pauseSending(transaction, { ...key, reason: 'operator', now }));
  const counted = await firstRow<{ tasks: number; contacts: number }>(transaction, doubted, { ...key, now });
  await refreshCampaign(transaction, key, now);
  return { ...key, tasks: counted?.tasks ?? 0, contacts: counted?.contacts ?? 0, paused: isPaused };
}

/**
 * After a restore, before anything runs: what a backup has as not sent may have been sent after it. Such sub-tasks become
 * `unknown`, so that the platform is asked about each, or evidence tells, before anything is sent again; sends
 * whose audience is not in sub-tasks yet are paused. Can be repeated.
 */
export async function doubtUnfinishedSends(database: Database, now: Date): Promise<RestoredSend[]> {
  const sends: RestoredSend[] = [];
  const found = await rows<CampaignKey & { name: string }>(database, unfinished, { now });
  for (const { name, ...key } of found) {
    const send = await holdingCampaign(database, key, (transaction) => doubt(transaction, key, now));
    sends.push({ ...send, name });
  }
  return sends;
}
