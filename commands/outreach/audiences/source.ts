import { type Database, rows, type Transaction } from '#db/database.ts';
import type { AudienceScope } from '#db/outreach/audiences/owner.ts';
import { faultsInSegment } from '#db/outreach/audiences/segments/references.ts';
import { type AudienceSource, listsOf } from '#db/outreach/audiences/source.ts';
import { keepLists } from '#db/outreach/audiences/uses.ts';
import { isThere } from '#db/outreach/audiences/valid-tag.ts';
import { AudienceRow } from '#db/outreach/models/audiences.ts';
import type { Audience } from '#domain/api/audiences.ts';
import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';
import type { Segment } from '#domain/api/segments.ts';

function invalidAudience(errors: FieldError[]): Problem {
  return new Problem('invalid_content', 'The audience cannot be resolved', { errors });
}

interface TagFilter {
  appTagIds: string[];
  tagOperator: 'AND' | 'OR';
  excludeTagIds: string[];
}

/** @throws Problem `invalid_content` for each tag that the service number does not have, or that is archived. */
export async function assertKnownTags(database: Database, scope: AudienceScope, filter: TagFilter): Promise<void> {
  const ids = [...filter.appTagIds, ...filter.excludeTagIds];
  const known = await rows<{ tagId: string }>(
    database,
    `select tag_id from tag where tenant_id = :tenantId and service_number_id = :serviceNumberId
       and tag_id = any(:ids) and ${isThere(scope.asOf)}`,
    { tenantId: scope.tenantId, serviceNumberId: scope.serviceNumberId, ids, asOf: scope.asOf ?? null },
  );
  const found = new Set(known.map(({ tagId }) => tagId));
  const unknownIn = (name: string, list: string[]) =>
    list.flatMap((id, index) =>
      found.has(id) ? [] : [invalidField(`${scope.path}/${name}/${index}`, 'unknown_or_archived')],
    );
  const errors = [...unknownIn('appTagIds', filter.appTagIds), ...unknownIn('excludeTagIds', filter.excludeTagIds)];
  if (errors.length > 0) throw invalidAudience(errors);
}

/** @throws Problem `invalid_content` for each tag, list and campaign that the service number does not have, and what cannot be asked for. */
export async function assertKnownInSegment(database: Database, scope: AudienceScope, segment: Segment): Promise<void> {
  const errors = await faultsInSegment(database, scope, segment);
  if (errors.length > 0) throw invalidAudience(errors);
}

/** A saved filter may have a sample of its own. */
async function savedSource(database: Database, scope: AudienceScope, audienceId: string): Promise<AudienceSource> {
  const saved = await AudienceRow.query(database).findOne({
    audienceId,
    tenantId: scope.tenantId,
    serviceNumberId: scope.serviceNumberId,
  });
  if (!saved) throw invalidAudience([invalidField(`${scope.path}/audienceId`, 'unknown_audience')]);
  if (saved.type === 'contacts') return { kind: 'list', audienceId };
  const take = saved.take ?? undefined;
  if (saved.type === 'segment') {
    if (!saved.segment) throw new Error('A saved segment has no segment');
    await assertKnownInSegment(database, scope, saved.segment);
    return { kind: 'segment', segment: saved.segment, take };
  }
  const { appTagIds, tagOperator, excludeTagIds } = saved;
  const filter = { appTagIds, tagOperator: tagOperator ?? 'OR', excludeTagIds };
  await assertKnownTags(database, scope, filter);
  return { kind: 'tags', ...filter, take };
}

/**
 * Keeps the lists of an audience until the send that needs them is stored.
 * @throws Problem `invalid_content` if one was deleted meanwhile.
 */
export async function keepForSend(
  transaction: Transaction,
  scope: AudienceScope,
  source: AudienceSource,
): Promise<void> {
  if (await keepLists(transaction, listsOf(source))) return;
  if (source.kind === 'segment')
    return await assertKnownInSegment(transaction, { ...scope, path: `${scope.path}/segment` }, source.segment);
  throw invalidAudience([invalidField(`${scope.path}/audienceId`, 'unknown_audience')]);
}

/** @throws Problem `invalid_state` for a list that is still being filled. */
export async function assertComplete(database: Database, source: AudienceSource): Promise<void> {
  if (source.kind !== 'list') return;
  const list = await AudienceRow.query(database).select('collecting').findById(source.audienceId);
  if (list?.collecting) throw new Problem('invalid_state', 'The list is still being filled; try again in a moment');
}

async function wholeSource(
  database: Database,
  scope: AudienceScope,
  audience: Exclude<Audience, { type: 'ai_query' }>,
): Promise<AudienceSource> {
  if (audience.type === 'contacts') {
    if (audience.audienceId !== undefined) return await savedSource(database, scope, audience.audienceId);
    return { kind: 'ids', contactIds: audience.contactIds ?? [] };
  }
  if (audience.type === 'segment') {
    const { segment } = audience;
    await assertKnownInSegment(database, { ...scope, path: `${scope.path}/segment` }, segment);
    return { kind: 'segment', segment };
  }
  const { appTagIds, tagOperator, excludeTagIds = [] } = audience;
  await assertKnownTags(database, scope, { appTagIds, tagOperator, excludeTagIds });
  return { kind: 'tags', appTagIds, tagOperator, excludeTagIds };
}

/**
 * Checks what an audience refers to: its tags and campaigns, or the saved audience. A sample that it asks for itself counts
 * instead of that of a saved filter.
 * @throws Problem `invalid_content` with the place of each invalid reference, and for `ai_query` (Phase 2).
 */
export async function audienceSource(
  database: Database,
  scope: AudienceScope,
  audience: Audience,
): Promise<AudienceSource> {
  if (audience.type === 'ai_query') throw invalidAudience([invalidField(`${scope.path}/type`, 'later_phase')]);
  const source = await wholeSource(database, scope, audience);
  return { ...source, take: audience.take ?? source.take };
}
