import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { Problem } from '#domain/api/problem.ts';
import { changeState, invalidState } from './states.ts';

/**
 * Stops what is not submitted yet; at most the calls in flight still go out.
 * @throws Problem `not_found`, `invalid_state`.
 */
export function pauseCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'campaign.pause',
    apply: async (transaction, campaign) => {
      if (campaign.status !== 'sending' && campaign.status !== 'scheduled') throw invalidState(campaign, 'paused');
      const key = { tenantId: author.tenantId, campaignId: id };
      if (!(await pauseSending(transaction, { ...key, reason: 'operator', now })))
        throw new Problem('invalid_state', 'Everything is already submitted');
    },
  });
}
