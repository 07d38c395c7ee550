import type { Transaction } from '#db/database.ts';
import { replaceMembers } from '#db/outreach/audiences/audiences.ts';
import { keepLists } from '#db/outreach/audiences/uses.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { AudienceRow } from '#db/outreach/models/audiences.ts';
import type { Take } from '#domain/api/audiences.ts';
import { Problem } from '#domain/api/problem.ts';
import { listsIn, type Segment } from '#domain/api/segments.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { previewAudience } from './preview-audience.ts';
import { assertKnownInSegment, assertKnownTags } from './source.ts';

/** What the audit log keeps of an audience: everything but its owner. */
export function auditedAudience(row: AudienceRow): object {
  const { tenantId: _tenantId, revision: _revision, contents: _contents, replacedAt: _replacedAt, ...audience } = row;
  return audience;
}

/** What a saved audience consists of, checked against its type. */
export type SavedContent =
  | { type: 'contacts'; name: string; contactIds: string[] | undefined }
  | {
      type: 'app_tags';
      name: string;
      appTagIds: string[];
      tagOperator: 'AND' | 'OR';
      excludeTagIds: string[];
      take: Take | null;
    }
  | { type: 'segment'; name: string; segment: Segment; take: Take | null };

/** The audience, locked: replacements of its list wait for each other. @throws Problem `not_found`. */
export async function lockAudience(
  transaction: Transaction,
  tenantId: string,
  audienceId: string,
): Promise<AudienceRow> {
  const row = await AudienceRow.query(transaction).findOne({ audienceId, tenantId }).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no audience with this id');
  return row;
}

/** @param uses what still needs the audience, as paths. @throws Problem `in_use` that names each. */
export function assertUnused(uses: readonly string[]): void {
  if (uses.length === 0) return;
  const errors = uses.map((path) => ({ path, message: 'needs this audience' }));
  throw new Problem('in_use', 'A send, a repeat, an automation or a saved segment still needs this audience', {
    errors,
  });
}

type Members = Pick<AudienceRow, 'appTagIds' | 'tagOperator' | 'excludeTagIds' | 'segment' | 'take' | 'memberCount'>;

export const noMembers: Members = {
  appTagIds: [],
  tagOperator: null,
  excludeTagIds: [],
  segment: null,
  take: null,
  memberCount: 0,
};

/** Stores lists; a tag filter or a segment is counted as it resolves now. */
export async function writeMembers(
  transaction: Transaction,
  scope: { tenantId: string; serviceNumberId: string; audienceId: string; now: Date },
  content: SavedContent,
  before: Members,
): Promise<Members> {
  if (content.type === 'contacts') {
    if (content.contactIds === undefined) return before;
    return { ...before, memberCount: await replaceMembers(transaction, scope.audienceId, content.contactIds) };
  }
  if (content.type === 'segment') {
    const { segment, take } = content;
    // Whoever deletes one of its lists either finds this segment or is found here.
    await keepLists(transaction, listsIn(segment));
    await assertKnownInSegment(transaction, { ...scope, path: '/segment' }, segment);
    const { reachableCount } = await previewAudience(transaction, scope, { kind: 'segment', segment }, scope.now);
    return { ...noMembers, segment, take, memberCount: reachableCount };
  }
  const { appTagIds, tagOperator, excludeTagIds, take } = content;
  const filter = { appTagIds, tagOperator, excludeTagIds };
  await assertKnownTags(transaction, { ...scope, path: '' }, filter);
  const { reachableCount } = await previewAudience(transaction, scope, { kind: 'tags', ...filter }, scope.now);
  return { ...noMembers, ...filter, take, memberCount: reachableCount };
}

/** An audience without members. @throws Problem `invalid_content` for an invalid service number. */
export async function insertAudience(
  transaction: Transaction,
  { tenantId, userId }: Author,
  audience: Pick<AudienceRow, 'audienceId' | 'serviceNumberId' | 'name' | 'type' | 'collecting'> &
    Partial<Pick<AudienceRow, 'segment'>>,
  now: Date,
): Promise<void> {
  await assertActiveServiceNumber(transaction, tenantId, audience.serviceNumberId);
  await AudienceRow.query(transaction).insert({
    ...noMembers,
    ...audience,
    tenantId,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  });
}
