import type { Database } from '#db/database.ts';
import { exchangeReplaced } from '#db/outreach/audiences/members.ts';
import { freezingAudience } from '#db/outreach/audiences/uses.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { AudienceRow, nextRevision } from '#db/outreach/models/audiences.ts';
import { isReplacedKept } from '#domain/contacts/replaced.ts';
import { Problem } from '#domain/api/problem.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { assertUnused, auditedAudience, lockAudience } from './audiences.ts';

/**
 * Puts back what a saved list was before a file replaced it; what it is now is kept in its place, so that doing it again
 * undoes it.
 * @throws Problem `not_found`, `stale`, `in_use` while a send is reading it, `invalid_state` if nothing is kept, or no longer.
 */
export function restoreAudienceContacts(
  database: Database,
  author: Author,
  audienceId: string,
  { now, checkRevision = anyRevision }: { now: Date; checkRevision?: RevisionCheck },
): Promise<AudienceRow> {
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, author.tenantId, audienceId);
    assertUnused(await freezingAudience(transaction, { tenantId: author.tenantId, audienceId }));
    const memberCount = isReplacedKept(before.replacedAt, now) ? await exchangeReplaced(transaction, audienceId) : null;
    if (memberCount === null) throw new Problem('invalid_state', 'No earlier list of this audience is kept');
    checkRevision(before.revision);
    const after = await AudienceRow.query(transaction).patchAndFetchById(audienceId, {
      memberCount,
      contents: nextRevision,
      collecting: null,
      replacedAt: now,
      updatedAt: now,
    });
    await recordAudit(transaction, author, {
      action: 'audience.restore',
      objectType: 'audience',
      objectId: audienceId,
      before: auditedAudience(before),
      after: auditedAudience(after),
    });
    return after;
  });
}
