import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import { assertPossible } from '#domain/sends/actions.ts';
import type { RevisionCheck } from '../revision-check.ts';
import { audited } from './changes.ts';
import { lockCampaign } from './lock-campaign.ts';

/** Deletes a draft; sent campaigns stay. @throws Problem `not_found`, `invalid_state`, `stale`. */
export function deleteCampaign(
  database: Database,
  author: Author,
  id: string,
  { checkRevision, now }: { checkRevision: RevisionCheck; now: Date },
): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, author.tenantId, id);
    assertPossible('delete', await readSendFacts(transaction, before, now));
    checkRevision(before.revision);
    await CampaignRow.query(transaction).delete().where({ tenantId: author.tenantId, campaignId: id });
    await recordAudit(transaction, author, {
      action: 'campaign.delete',
      objectType: 'campaign',
      objectId: id,
      before: audited(before),
    });
  });
}
