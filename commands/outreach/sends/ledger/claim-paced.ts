import { type Database, firstRow } from '#db/database.ts';
import { lockCampaignOfSend } from '#db/outreach/sends/ledger/campaign-lock.ts';
import {
  type ChunkRange,
  type ClaimedSubTask,
  claimSubTask,
  type DispatchKey,
} from '#db/outreach/sends/ledger/ledger.ts';
import { claimInTurn, selectPaced } from '#db/outreach/sends/ledger/paced.ts';
import type { PacedSend } from '#domain/campaigns/pace/due.ts';

/**
 * Claims as `claimSubTask` does, if the pace of the campaign lets another sub-task be submitted now, and moves on when the
 * next one may be. Claims of one campaign wait for each other, so that several processes, and a retry beside another send,
 * keep to the pace together.
 */
export function claimPaced(
  database: Database,
  claim: DispatchKey & ChunkRange & { owner: string; now: Date },
): Promise<ClaimedSubTask | null> {
  const { tenantId, dispatchId, now } = claim;
  return database.transaction(async (transaction) => {
    const key = { tenantId, dispatchId };
    await lockCampaignOfSend(transaction, key);
    const send = await firstRow<PacedSend & { campaignId: string }>(transaction, selectPaced, { ...key, now });
    return send ? await claimInTurn(transaction, send, claim) : await claimSubTask(transaction, claim);
  });
}
