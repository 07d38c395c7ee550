import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertNotWaiting, audited } from './changes.ts';
import { lockCampaign } from './lock-campaign.ts';

/** @throws Problem `stale` if someone changed the campaign after the caller read it. */
export type VersionCheck = (version: number) => void;

/** Deletes a draft; sent campaigns stay. @throws Problem `not_found`, `invalid_state`, `stale`. */
export function deleteCampaign(
  database: Database,
  author: Author,
  id: string,
  checkVersion: VersionCheck,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, author.tenantId, id);
    if (before.status !== 'draft') throw new Problem('invalid_state', 'Only a draft can be deleted');
    assertNotWaiting(before);
    checkVersion(before.version);
    await CampaignRow.query(transaction).delete().where({ tenantId: author.tenantId, campaignId: id });
    await recordAudit(transaction, author, {
      action: 'campaign.delete',
      objectType: 'campaign',
      objectId: id,
      before: audited(before),
    });
  });
}
