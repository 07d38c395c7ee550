import { rows, type Transaction } from '#db/database.ts';
import { unprocessed } from '../rules/no-response.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';
import type { OpenStep } from './facts.ts';

export const isUnprocessed = `select 1 as found where ${unprocessed(':tenantId', ':previousId', ':dueAt::timestamptz')}`;

export const decide = `
  update campaign_step set state = :state, reason = :reason, due_at = :dueAt, decided_at = :now, next_look_at = null
  where campaign_id = :campaignId and position = :position and state = 'waiting'`;

/** After a sent step, the next is evaluated; after one that was not sent, all later ones end. */
export const goOn = `
  update campaign_step set
    state = case when :isSent then 'waiting' when :state = 'cancelled' then 'cancelled' else 'skipped' end,
    reason = case when :isSent then null when :state = 'cancelled' then :reason else 'previous_skipped' end,
    decided_at = case when :isSent then null else :now::timestamptz end,
    next_look_at = case when :isSent and position = :position + 1 then :now::timestamptz end
  where campaign_id = :campaignId and position > :position and state = 'waiting' returning 1`;

export async function lookLater(
  transaction: Transaction,
  key: CampaignKey,
  { position }: OpenStep,
  at: Date,
): Promise<void> {
  await rows(
    transaction,
    'update campaign_step set next_look_at = :at where campaign_id = :campaignId and position = :position',
    { campaignId: key.campaignId, position, at },
  );
}
