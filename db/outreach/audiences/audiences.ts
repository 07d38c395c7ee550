import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem } from '../../../domain/api/problem.ts';
import type { Segment } from '../../../domain/api/segments.ts';
import { decodeCursor, keyText, moment, pageOf } from '../../../domain/cursor.ts';
import { type Database, firstRow, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { CampaignRow } from '../models/campaigns.ts';
import { AudienceMemberRow, AudienceRow } from '../models/audiences.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { previewAudience } from './counts.ts';
import { assertKnownInSegment, assertKnownTags } from './source.ts';

/** What the audit log keeps of an audience: everything but its owner. */
export function auditedAudience({ tenantId: _tenantId, ...audience }: AudienceRow): object {
  return audience;
}

/** What a saved audience consists of, checked against its type. */
export type SavedContent =
  | { type: 'contacts'; name: string; contactIds: string[] | undefined }
  | { type: 'app_tags'; name: string; appTagIds: string[]; tagOperator: 'AND' | 'OR'; excludeTagIds: string[] }
  | { type: 'segment'; name: string; segment: Segment };

/** Newest first, page by page. */
export async function listAudiences(
  database: Database,
  tenantId: string,
  {
    limit,
    cursor,
    serviceNumberId,
  }: { limit: number; cursor?: string | undefined; serviceNumberId?: string | undefined },
): Promise<Page<AudienceRow>> {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const query = AudienceRow.query(database)
    .where({ tenantId })
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'audienceId', order: 'desc' },
    ])
    .limit(limit + 1);
  if (serviceNumberId !== undefined) query.where('serviceNumberId', serviceNumberId);
  // We write whole milliseconds, so a Date loses nothing.
  if (after) query.whereRaw('(created_at, audience_id) < (?, ?)', [new Date(Number(after[0]) / 1000), after[1]]);
  return pageOf(await query, limit, (row) => [String(row.createdAt.getTime() * 1000), row.audienceId]);
}

/** Null if the tenant has no such audience. */
export async function findAudience(
  database: Database,
  tenantId: string,
  audienceId: string,
): Promise<AudienceRow | null> {
  return (await AudienceRow.query(database).findOne({ audienceId, tenantId })) ?? null;
}

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

type Members = Pick<AudienceRow, 'appTagIds' | 'tagOperator' | 'excludeTagIds' | 'segment' | 'memberCount'>;

const noMembers: Members = { appTagIds: [], tagOperator: null, excludeTagIds: [], segment: null, memberCount: 0 };

async function replaceMembers(transaction: Transaction, audienceId: string, contactIds: string[]): Promise<number> {
  await AudienceMemberRow.query(transaction).delete().where({ audienceId });
  const added = await firstRow<{ count: number }>(
    transaction,
    `with added as (
       insert into audience_member (audience_id, contact_id)
       select distinct :audienceId, id from unnest(:contactIds::text[]) as given (id) returning 1)
     select count(*) from added`,
    { audienceId, contactIds },
  );
  return added?.count ?? 0;
}

/** Stores lists; a tag filter or a segment is counted as it resolves now. */
async function writeMembers(
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
    const { segment } = content;
    await assertKnownInSegment(transaction, { ...scope, path: '/segment' }, segment);
    const { reachableCount } = await previewAudience(transaction, scope, { kind: 'segment', segment }, scope.now);
    return { ...noMembers, segment, memberCount: reachableCount };
  }
  const { appTagIds, tagOperator, excludeTagIds } = content;
  const filter = { appTagIds, tagOperator, excludeTagIds };
  await assertKnownTags(transaction, { ...scope, path: '' }, filter);
  const { reachableCount } = await previewAudience(transaction, scope, { kind: 'tags', ...filter }, scope.now);
  return { ...noMembers, ...filter, memberCount: reachableCount };
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

export const recordCreation = (transaction: Transaction, author: Author, created: AudienceRow): Promise<void> =>
  recordAudit(transaction, author, {
    action: 'audience.create',
    objectType: 'audience',
    objectId: created.audienceId,
    after: auditedAudience(created),
  });

/** @throws Problem `invalid_content` for an invalid service number or tags. */
export function createAudience(
  database: Database,
  author: Author,
  serviceNumberId: string,
  content: SavedContent,
  now: Date,
): Promise<AudienceRow> {
  const { tenantId } = author;
  const audienceId = uuidv7();
  return database.transaction(async (transaction) => {
    const { name, type } = content;
    const segment = content.type === 'segment' ? content.segment : null;
    const empty = { audienceId, serviceNumberId, name, type, segment, collecting: null };
    await insertAudience(transaction, author, empty, now);
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const members = await writeMembers(transaction, scope, content, noMembers);
    const row = await AudienceRow.query(transaction).patchAndFetchById(audienceId, members);
    await recordCreation(transaction, author, row);
    return row;
  });
}

/** `change` returns the new content given the stored one. @throws Problem `not_found`, `invalid_content`. */
export function updateAudience(
  database: Database,
  author: Author,
  audienceId: string,
  change: (before: AudienceRow) => SavedContent,
  now: Date,
): Promise<AudienceRow> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    const content = change(before);
    const { serviceNumberId, appTagIds, tagOperator, excludeTagIds, segment, memberCount } = before;
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const stored = { appTagIds, tagOperator, excludeTagIds, segment, memberCount };
    const members = await writeMembers(transaction, scope, content, stored);
    const row = await AudienceRow.query(transaction).patchAndFetchById(audienceId, {
      ...members,
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
