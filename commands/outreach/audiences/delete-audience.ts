import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { AudienceMemberRow, AudienceRow } from '#db/outreach/models/audiences.ts';
import { usesOfAudience } from '#db/outreach/audiences/uses.ts';
import { assertUnused, auditedAudience, lockAudience } from './audiences.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/** @throws Problem `not_found`, `stale`, `in_use` while a send, a repeat or a saved segment needs it. A draft that refers to it cannot be sent any more. */
export function deleteAudience(
  database: Database,
  author: Author,
  audienceId: string,
  checkRevision: RevisionCheck = anyRevision,
): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    assertUnused(await usesOfAudience(transaction, { tenantId, audienceId }));
    checkRevision(before.revision);
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
