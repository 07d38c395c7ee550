import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { AudienceRow, nextRevision } from '#db/outreach/models/audiences.ts';
import { freezingAudience } from '#db/outreach/audiences/uses.ts';
import { assertUnused, auditedAudience, lockAudience, type SavedContent, writeMembers } from './audiences.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/** Whether the audience may match others than before: a name alone changes nothing. */
function matchesAnew(before: AudienceRow, content: SavedContent): boolean {
  if (content.type === 'contacts') return content.contactIds !== undefined;
  const { appTagIds, tagOperator, excludeTagIds, segment, take } = before;
  const { name: _name, type: _type, ...filter } = content;
  return !isDeepStrictEqual(
    filter,
    content.type === 'segment' ? { segment, take } : { appTagIds, tagOperator, excludeTagIds, take },
  );
}

/**
 * `change` returns the new content given the stored one.
 * @throws Problem `not_found`, `stale`, `invalid_content`, `in_use` while a send is reading what it matches.
 */
export function updateAudience(
  database: Database,
  author: Author,
  audienceId: string,
  {
    change,
    now,
    checkRevision = anyRevision,
  }: { change: (before: AudienceRow) => SavedContent; now: Date; checkRevision?: RevisionCheck },
): Promise<AudienceRow> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    const content = change(before);
    if (matchesAnew(before, content)) assertUnused(await freezingAudience(transaction, { tenantId, audienceId }));
    checkRevision(before.revision);
    const { serviceNumberId, appTagIds, tagOperator, excludeTagIds, segment, take, memberCount } = before;
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const stored = { appTagIds, tagOperator, excludeTagIds, segment, take, memberCount };
    const members = await writeMembers(transaction, scope, content, stored);
    const row = await AudienceRow.query(transaction).patchAndFetchById(audienceId, {
      ...members,
      ...(content.type === 'contacts' && content.contactIds !== undefined ? { contents: nextRevision } : {}),
      name: content.name,
      updatedAt: now,
    });
    await recordAudit(transaction, author, {
      action: 'audience.update',
      objectType: 'audience',
      objectId: audienceId,
      before: auditedAudience(before),
      after: auditedAudience(row),
    });
    return row;
  });
}
