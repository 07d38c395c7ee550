import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { SavedAudience } from '../../../domain/api/audiences.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../../domain/cursor.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { previewAudience } from './resolution.ts';
import { assertKnownTags } from './source.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { AudienceRow } from '../models.ts';

export function presentAudience(row: AudienceRow): SavedAudience {
  const { audienceId, name, serviceNumberId, type, appTagIds, tagOperator, excludeTagIds, memberCount } = row;
  return {
    audienceId,
    name,
    serviceNumberId,
    type,
    appTagIds,
    tagOperator,
    excludeTagIds,
    memberCount,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What a saved audience consists of, checked for its type. */
export type SavedContent =
  | { type: 'contacts'; name: string; contactIds: string[] | undefined }
  | { type: 'app_tags'; name: string; appTagIds: string[]; tagOperator: 'AND' | 'OR'; excludeTagIds: string[] };

/** Newest first, page by page. */
export async function listAudiences(
  database: Database,
  tenantId: string,
  {
    limit,
    cursor,
    serviceNumberId,
  }: { limit: number; cursor?: string | undefined; serviceNumberId?: string | undefined },
): Promise<Page<SavedAudience>> {
  const after = decodeCursor(z.tuple([microseconds, keyText]), cursor);
  const query = AudienceRow.query(database)
    .where({ tenant_id: tenantId })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'audience_id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (serviceNumberId !== undefined) query.where('service_number_id', serviceNumberId);
  // Written by us in whole milliseconds: a Date loses nothing of it.
  if (after) query.whereRaw('(created_at, audience_id) < (?, ?)', [new Date(after[0] / 1000), after[1]]);
  return pageOf(await query, limit, (row) => [row.createdAt.getTime() * 1000, row.audienceId], presentAudience);
}

/** Undefined where the tenant has no such audience. */
export async function findAudience(
  database: Database,
  tenantId: string,
  audienceId: string,
): Promise<AudienceRow | undefined> {
  return await AudienceRow.query(database).findOne({ audience_id: audienceId, tenant_id: tenantId });
}

/** The audience, locked: replacements of its list wait for each other. @throws Problem `not_found`. */
export async function lockAudience(
  transaction: Transaction,
  tenantId: string,
  audienceId: string,
): Promise<AudienceRow> {
  const row = await AudienceRow.query(transaction)
    .findOne({ audience_id: audienceId, tenant_id: tenantId })
    .forUpdate();
  if (!row) throw new Problem('not_found', 'There is no audience of this id');
  return row;
}

type Members = Pick<AudienceRow, 'appTagIds' | 'tagOperator' | 'excludeTagIds' | 'memberCount'>;

async function replaceMembers(transaction: Transaction, audienceId: string, contactIds: string[]): Promise<number> {
  await rows(transaction, 'delete from audience_member where audience_id = :audienceId', { audienceId });
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

/** Stores lists; a tag filter is counted as it resolves now. */
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
  const { appTagIds, tagOperator, excludeTagIds } = content;
  const filter = { appTagIds, tagOperator, excludeTagIds };
  await assertKnownTags(transaction, { ...scope, path: '' }, filter);
  const { reachableCount } = await previewAudience(transaction, scope, { kind: 'tags', ...filter }, scope.now);
  return { ...filter, memberCount: reachableCount };
}

const noMembers: Members = { appTagIds: [], tagOperator: null, excludeTagIds: [], memberCount: 0 };

/** @throws Problem `invalid_content` for a service number or tags that do not hold. */
export function createAudience(
  database: Database,
  author: Author,
  serviceNumberId: string,
  content: SavedContent,
  now: Date,
): Promise<SavedAudience> {
  const { tenantId, userId } = author;
  const audienceId = uuidv7();
  return database.transaction(async (transaction) => {
    await assertActiveServiceNumber(transaction, tenantId, serviceNumberId);
    const { name, type } = content;
    await AudienceRow.query(transaction).insert({
      ...noMembers,
      audienceId,
      tenantId,
      serviceNumberId,
      name,
      type,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const members = await writeMembers(transaction, scope, content, noMembers);
    const row = await AudienceRow.query(transaction).patchAndFetchById(audienceId, members);
    const audience = presentAudience(row);
    await recordAudit(transaction, author, {
      action: 'audience.create',
      objectType: 'audience',
      objectId: audienceId,
      after: audience,
    });
    return audience;
  });
}

/** `change` gives the new content of what is stored. @throws Problem `not_found`, `invalid_content`. */
export function updateAudience(
  database: Database,
  author: Author,
  audienceId: string,
  change: (before: AudienceRow) => SavedContent,
  now: Date,
): Promise<SavedAudience> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    const content = change(before);
    const { serviceNumberId, appTagIds, tagOperator, excludeTagIds, memberCount } = before;
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const stored = { appTagIds, tagOperator, excludeTagIds, memberCount };
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
      before: presentAudience(before),
      after: presentAudience(row),
    });
    return presentAudience(row);
  });
}

/** @throws Problem `not_found`, `conflict` where a draft refers to it. */
export function deleteAudience(database: Database, author: Author, audienceId: string): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, tenantId, audienceId);
    const draft = await firstRow<{ name: string }>(
      transaction,
      `select name from campaign where tenant_id = :tenantId and status = 'draft'
         and audience ->> 'audienceId' = :audienceId limit 1`,
      { tenantId, audienceId },
    );
    if (draft) throw new Problem('conflict', `The draft "${draft.name}" goes to this audience`);
    await rows(transaction, 'delete from audience_member where audience_id = :audienceId', { audienceId });
    await AudienceRow.query(transaction).deleteById(audienceId);
    await recordAudit(transaction, author, {
      action: 'audience.delete',
      objectType: 'audience',
      objectId: audienceId,
      before: presentAudience(before),
    });
  });
}
