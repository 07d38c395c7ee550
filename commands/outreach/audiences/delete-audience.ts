import type { Database } from '../../../db/database.ts';
import { type Author, recordAudit } from '../../../db/outreach/audit/record.ts';
import { AudienceMemberRow, AudienceRow } from '../../../db/outreach/models/audiences.ts';
import { CampaignRow } from '../../../db/outreach/models/campaigns.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { auditedAudience, lockAudience } from './audiences.ts';

/** @throws Problem `not_found`, `conflict` if a draft refers to it. */
export function deleteAudience(database: Database, author: Author, audienceId: string): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    const draft = await CampaignRow.query(transaction)
      .select('name')
      .findOne({ tenantId, status: 'draft' })
      .whereRaw(`audience ->> 'audienceId' = ?`, [audienceId])
      .limit(1);
    if (draft) throw new Problem('conflict', `The draft "${draft.name}" is addressed to this audience`);
    await AudienceMemberRow.query(transaction).delete().where({ audienceId });
    await AudienceRow.query(transaction).deleteById(audienceId);
    await recordAudit(transaction, author, {
      action: 'audience.delete',
      objectType: 'audience',
      objectId: audienceId,
      before: auditedAudience(before),
    });
  });
}
