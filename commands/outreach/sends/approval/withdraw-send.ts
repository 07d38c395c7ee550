import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Answer, decide, turnDown } from './decisions.ts';

/** @throws Problem `forbidden` for anybody but who asked, `not_found`, `invalid_state`. */
export function withdrawSend(
  database: Database,
  author: Author,
  id: string,
  { approvalId, now }: Answer,
): Promise<CampaignRecord> {
  return decide(database, author, id, {
    approvalId,
    apply: async (transaction, campaign, request) => {
      if (author.userId !== request.requestedBy)
        throw new Problem('forbidden', 'Only the person who asked for approval can withdraw the request');
      await turnDown(transaction, author, { campaign, request, now });
    },
  });
}
