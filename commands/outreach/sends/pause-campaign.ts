import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { changeState } from './states.ts';

/**
 * Stops what is not submitted yet; at most the calls in flight still go out.
 * @throws Problem `not_found`, `invalid_state`.
 */
export function pauseCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'pause',
    now,
    apply: async (transaction) => {
      await pauseSending(transaction, { tenantId: author.tenantId, campaignId: id, reason: 'operator', now });
    },
  });
}
