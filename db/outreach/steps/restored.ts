import { rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';

/** A step that may have been sent since the backup. */
export interface RestoredStep extends CampaignKey {
  /** Of the campaign that it follows. */
  name: string;
  position: number;
}

/** Pauses the waiting steps whose time to be looked at has come. */
export const pauseRestored = (transaction: Transaction, now: Date): Promise<RestoredStep[]> =>
  rows<RestoredStep>(
    transaction,
    `update campaign_step s set pause_reason = 'restored', next_look_at = null from campaign c
     where c.campaign_id = s.campaign_id and s.state = 'waiting' and s.next_look_at <= :now
     returning s.tenant_id, s.campaign_id, c.name, s.position`,
    { now },
  );

/** Has the paused steps of a campaign looked at again. @returns their positions */
export const resumePaused = (
  transaction: Transaction,
  { tenantId, campaignId }: CampaignKey,
  now: Date,
): Promise<{ position: number }[]> =>
  rows(
    transaction,
    `update campaign_step set pause_reason = null, next_look_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and state = 'waiting' and pause_reason is not null
     returning position`,
    { tenantId, campaignId, now },
  );
