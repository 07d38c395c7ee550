import type { Database } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pacedUntil, type PollState, readPollState } from '#db/outreach/sends/polling.ts';
import { settleEdit } from './editing/settle-edit.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';

/**
 * Settles an edit that has been waiting for tasks to be cancelled, derives the campaign's status, and returns what is
 * left to poll. Null if there is no such campaign.
 */
export function finishRound(
  database: Database,
  { now, ...key }: CampaignKey & { now: Date },
): Promise<(PollState & { resubmitted: boolean }) | null> {
  return database.transaction(async (transaction) => {
    const resubmitted = await settleEdit(transaction, key, now);
    await refreshCampaign(transaction, key, now);
    const state = await readPollState(transaction, { ...key, now });
    return state && { ...state, resubmitted, pacedUntil: await pacedUntil(transaction, key, state, now) };
  });
}
