import { raw, UniqueViolationError } from 'objection';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import type { Tag, TagBody, TagPatch, tagStatuses } from '../../../domain/api/tags.ts';
import { decodeCursor, keyText, pageOf } from '../../../domain/cursor.ts';
import type { Database, Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { TagRow } from '../models.ts';

type TagStatus = (typeof tagStatuses)[number];

/** The daily flow marks expired tags; until it has run, the clock decides. */
function statusAt({ status, expiresAt }: Pick<TagRow, 'status' | 'expiresAt'>, now: Date): TagStatus {
  return status === 'active' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

export function presentTag(row: TagRow, now: Date): Tag {
  return {
    tagId: row.tagId,
    serviceNumberId: row.serviceNumberId,
    name: row.name,
    source: row.source,
    kind: row.kind,
    color: row.color,
    status: statusAt(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    contactCount: row.contactCount,
    createdAt: row.createdAt.toISOString(),
  };
}

export interface TagFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  status?: TagStatus | undefined;
}

/** By name, page by page; archived tags only where asked for. */
export async function listTags(
  database: Database,
  tenantId: string,
  { limit, cursor, serviceNumberId, status }: TagFilter,
  now: Date,
): Promise<Page<Tag>> {
  const after = decodeCursor(z.tuple([keyText, keyText]), cursor);
  const query = TagRow.query(database)
    .select('tag.*', raw('lower(name)').as('sort_key'))
    .where({ tenant_id: tenantId })
    .orderByRaw('lower(name) collate "C", tag_id')
    .limit(limit + 1);
  if (after) query.whereRaw('(lower(name) collate "C", tag_id) > (?, ?)', after);
  if (serviceNumberId !== undefined) query.where('service_number_id', serviceNumberId);
  const expired = `(status = 'expired' or (status = 'active' and expires_at <= ?))`;
  if (status === 'archived') query.where('status', 'archived');
  else query.whereNot('status', 'archived');
  if (status === 'expired') query.whereRaw(expired, [now]);
  if (status === 'active') query.whereRaw(`status = 'active' and (expires_at is null or expires_at > ?)`, [now]);
  return pageOf(
    await query,
    limit,
    (row) => [row.sortKey ?? '', row.tagId],
    (row) => presentTag(row, now),
  );
}

/** Undefined where the tenant has no such tag. */
export async function findTag(database: Database, tenantId: string, tagId: string): Promise<TagRow | undefined> {
  return await TagRow.query(database).findOne({ tag_id: tagId, tenant_id: tenantId });
}

/** The tag, locked: changes of one tag and its assignments wait for each other, so that contact_count stays true. */
export async function lockTag(transaction: Transaction, tenantId: string, tagId: string): Promise<TagRow> {
  const row = await TagRow.query(transaction).findOne({ tag_id: tagId, tenant_id: tenantId }).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no tag of this id');
  return row;
}

export function assertNotArchived({ status }: TagRow): void {
  if (status === 'archived') throw new Problem('invalid_state', 'The tag is archived');
}

/** A service number has one tag of a name, whatever the case; archived ones do not count. */
async function assertNameIsFree<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof UniqueViolationError)) throw error;
    throw new Problem('conflict', 'The service number has a tag of this name already', {
      errors: [invalidField('/name', 'name_taken')],
      cause: error,
    });
  }
}

const lifeOf = (expiresAt: Date | null, now: Date): 'active' | 'expired' =>
  expiresAt !== null && expiresAt <= now ? 'expired' : 'active';

/** @throws Problem `invalid_content` for a service number that is not active, `conflict` for a name that is taken. */
export function createTag(database: Database, author: Author, body: TagBody, now: Date): Promise<Tag> {
  const { tenantId } = author;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  const row = {
    tagId: uuidv7(),
    tenantId,
    serviceNumberId: body.serviceNumberId,
    name: body.name,
    source: 'app_manual' as const,
    kind: body.kind,
    color: body.color ?? null,
    status: lifeOf(expiresAt, now),
    expiresAt,
    contactCount: 0,
    createdAt: now,
  };
  return assertNameIsFree(
    database.transaction(async (transaction) => {
      await assertActiveServiceNumber(transaction, tenantId, body.serviceNumberId);
      const tag = presentTag(await TagRow.query(transaction).insert(row), now);
      await recordAudit(transaction, author, {
        action: 'tag.create',
        objectType: 'tag',
        objectId: tag.tagId,
        after: tag,
      });
      return tag;
    }),
  );
}

/**
 * Changes what is given. A later expiresAt makes an expired tag active again.
 * @throws Problem `not_found`, `invalid_state` for an archived tag, `conflict`, `invalid_content`.
 */
export function updateTag(database: Database, author: Author, tagId: string, patch: TagPatch, now: Date): Promise<Tag> {
  return assertNameIsFree(
    database.transaction(async (transaction) => {
      const before = await lockTag(transaction, author.tenantId, tagId);
      assertNotArchived(before);
      if (patch.expiresAt === null && before.kind === 'temporary')
        throw new Problem('invalid_content', 'A temporary tag needs expiresAt', {
          errors: [invalidField('/expiresAt', 'expiry_needed')],
        });
      const changes = changesOf(patch, now);
      if (Object.keys(changes).length === 0) return presentTag(before, now);
      const after = await TagRow.query(transaction).patchAndFetchById(tagId, changes);
      await recordAudit(transaction, author, {
        action: 'tag.update',
        objectType: 'tag',
        objectId: tagId,
        before: presentTag(before, now),
        after: presentTag(after, now),
      });
      return presentTag(after, now);
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

/** Its assignments stay readable. Repeated, it changes nothing. */
export function archiveTag(database: Database, author: Author, tagId: string, now: Date): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockTag(transaction, author.tenantId, tagId);
    if (before.status === 'archived') return;
    await TagRow.query(transaction).findById(tagId).patch({ status: 'archived' });
    await recordAudit(transaction, author, {
      action: 'tag.archive',
      objectType: 'tag',
      objectId: tagId,
      before: presentTag(before, now),
    });
  });
}
