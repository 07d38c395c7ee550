import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { TagRow } from '#db/outreach/models/tags.ts';
import { keepExpiry } from '#db/outreach/tags/tags.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { TagPatch } from '#domain/api/tags.ts';
import { assertNameIsFree, assertNotArchived, audited, lifeOf, lockTag } from './tags.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/**
 * Changes the given fields. A later expiresAt makes an expired tag active again.
 * @throws Problem `not_found`, `invalid_state` for an archived tag, `stale`, `conflict`, `invalid_content`.
 */
export function updateTag(
  database: Database,
  author: Author,
  tagId: string,
  { patch, now, checkRevision = anyRevision }: { patch: TagPatch; now: Date; checkRevision?: RevisionCheck },
): Promise<TagRow> {
  return assertNameIsFree(
    database.transaction(async (transaction) => {
      const before = await lockTag(transaction, author.tenantId, tagId);
      assertNotArchived(before);
      checkRevision(before.revision);
      if (patch.expiresAt === null && before.kind === 'temporary')
        throw new Problem('invalid_content', 'A temporary tag needs expiresAt', {
          errors: [invalidField('/expiresAt', 'expiry_needed')],
        });
      const changes = changesOf(patch, now);
      if (Object.keys(changes).length === 0) return before;
      if (changes.expiresAt !== undefined) await keepExpiry(transaction, before, now);
      const after = await TagRow.query(transaction).patchAndFetchById(tagId, changes);
      await recordAudit(transaction, author, {
        action: 'tag.update',
        objectType: 'tag',
        objectId: tagId,
        before: audited(before, now),
        after: audited(after, now),
      });
      return after;
    }),
  );
}

function changesOf({ name, color, expiresAt }: TagPatch, now: Date): Partial<TagRow> {
  const end = expiresAt === undefined || expiresAt === null ? null : new Date(expiresAt);
  return {
    ...(name === undefined ? {} : { name }),
    ...(color === undefined ? {} : { color }),
    ...(expiresAt === undefined ? {} : { expiresAt: end, status: lifeOf(end, now) }),
  };
}
