import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { type Answer, assertAnother, decide, turnDown } from './decisions.ts';

/** @throws Problem `forbidden`, `own_request`, `not_found`, `invalid_state`. */
export function rejectSend(
  database: Database,
  author: Author,
  id: string,
  { approvalId, reason, now }: Answer & { reason: string },
): Promise<CampaignRecord> {
  return decide(database, author, id, {
    approvalId,
    apply: async (transaction, campaign, request) => {
      assertAnother(author, request);
      await turnDown(transaction, author, { campaign, request, reason, now });
    },
  });
}
