import type { Database } from '#db/database.ts';
import { keepReplaced, stage, takeStaged, unknownMembers } from '#db/outreach/audiences/members.ts';
import { writeImported } from '#db/outreach/webhooks/imported.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { AudienceRow, nextRevision } from '#db/outreach/models/audiences.ts';
import { Problem } from '#domain/api/problem.ts';
import { freezingAudience } from '#db/outreach/audiences/uses.ts';
import { assertUnused, auditedAudience, lockAudience } from './audiences.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/**
 * Replaces a saved list with the ids that `batches` yields, in one transaction: if `batches` throws, the old list
 * stays; otherwise it is kept, see `restoreAudienceContacts`. Holds one batch in memory at a time.
 * @throws Problem `not_found`, `stale`, `invalid_content` for a tag filter, `in_use` while a send is reading it, and whatever `batches` throws.
 */
export function replaceAudienceContacts(
  database: Database,
  author: Author,
  audienceId: string,
  batches: AsyncIterable<string[]>,
  { now, checkRevision = anyRevision }: { now: Date; checkRevision?: RevisionCheck },
): Promise<{ memberCount: number; duplicates: number; unknown: number }> {
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, author.tenantId, audienceId);
    if (before.type !== 'contacts') throw new Problem('invalid_content', 'Only a list of contacts can be replaced');
    assertUnused(await freezingAudience(transaction, { tenantId: author.tenantId, audienceId }));
    checkRevision(before.revision);
    const given = await stage(transaction, batches);
    await keepReplaced(transaction, audienceId);
    const memberCount = await takeStaged(transaction, audienceId);
    const after = await AudienceRow.query(transaction).patchAndFetchById(audienceId, {
      memberCount,
      contents: nextRevision,
      // What a campaign's clicks would still add is no part of the new list.
      collecting: null,
      replacedAt: now,
      updatedAt: now,
    });
    await recordAudit(transaction, author, {
      action: 'audience.replace',
      objectType: 'audience',
      objectId: audienceId,
      before: auditedAudience(before),
      after: auditedAudience(after),
    });
    const duplicates = given - memberCount;
    await writeImported(transaction, author, { audience: after, duplicates });
    return { memberCount, duplicates, unknown: await unknownMembers(transaction, after) };
  });
}
