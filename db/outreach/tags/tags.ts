import { raw } from 'objection';
import { uuidv7 } from 'uuidv7';
import type { BatchResult } from '../../../domain/api/batches.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import type { TagBody, TagPatch, tagStatuses } from '../../../domain/api/tags.ts';
import { pageOf } from '../../../domain/cursor.ts';
import type { tagSorts } from '../../../domain/lists/sorts.ts';
import { tagStatusAt } from '../../../domain/tags/status.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { isUniqueViolation } from '../../errors.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type Change, changeEach } from '../batch.ts';
import { type ListOrder, orderedPage } from '../list-order.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { TagRow } from '../models/tags.ts';

type TagStatus = (typeof tagStatuses)[number];

/** What the audit log keeps of a tag: everything but its owner. */
function audited({ tenantId: _tenantId, archivedAt: _archivedAt, ...tag }: TagRow, now: Date): object {
  return { ...tag, status: tagStatusAt(tag, now) };
}

export interface TagFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  status?: TagStatus | undefined;
  sort?: (typeof tagSorts)[number] | undefined;
}

const orders: Record<'name' | 'createdAt', ListOrder> = {
  name: { key: 'lower(name) collate "C"', of: 'text' },
  createdAt: { key: 'created_at', of: 'moment' },
};

/** By name or as asked for, page by page; archived tags only if requested. */
export async function listTags(
  database: Database,
  tenantId: string,
  { limit, serviceNumberId, status, sort = 'name', cursor }: TagFilter,
  now: Date,
): Promise<Page<TagRow>> {
  const ordered = orderedPage(orders, { id: 'tag_id', usual: 'name' }, { sort, cursor });
  const query = TagRow.query(database)
    .select('tag.*', raw(ordered.at).as('at'))
    .where({ tenantId })
    .whereRaw(ordered.after, ordered.bindings)
    .orderByRaw(ordered.orderBy)
    .limit(limit + 1);
  if (serviceNumberId !== undefined) query.where('serviceNumberId', serviceNumberId);
  const expired = `(status = 'expired' or (status = 'active' and expires_at <= ?))`;
  if (status === 'archived') query.where('status', 'archived');
  else query.whereNot('status', 'archived');
  if (status === 'expired') query.whereRaw(expired, [now]);
  if (status === 'active') query.whereRaw(`status = 'active' and (expires_at is null or expires_at > ?)`, [now]);
  return pageOf(await query, limit, (row) => ordered.positionOf({ at: row.at ?? '' }, row.tagId));
}

/** Null if the tenant has no such tag. */
export async function findTag(database: Database, tenantId: string, tagId: string): Promise<TagRow | null> {
  return (await TagRow.query(database).findOne({ tagId, tenantId })) ?? null;
}

/**
 * The tag, locked: changes to one tag and its assignments wait for each other, so that contact_count stays correct.
 */
export async function lockTag(transaction: Transaction, tenantId: string, tagId: string): Promise<TagRow> {
  const row = await TagRow.query(transaction).findOne({ tagId, tenantId }).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no tag with this id');
  return row;
}

export function assertNotArchived({ status }: TagRow): void {
  if (status === 'archived') throw new Problem('invalid_state', 'The tag is archived');
}

/** A service number has at most one tag of a name, case-insensitive; archived tags do not count. */
async function assertNameIsFree<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Problem('conflict', 'The service number already has a tag with this name', {
      errors: [invalidField('/name', 'name_taken')],
      cause: error,
    });
  }
}

const lifeOf = (expiresAt: Date | null, now: Date): 'active' | 'expired' =>
  expiresAt !== null && expiresAt <= now ? 'expired' : 'active';

/** @throws Problem `invalid_content` for a service number that is not active, `conflict` for a name that is taken. */
export function createTag(database: Database, author: Author, body: TagBody, now: Date): Promise<TagRow> {
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
      const tag = await TagRow.query(transaction).insert(row);
      await recordAudit(transaction, author, {
        action: 'tag.create',
        objectType: 'tag',
        objectId: tag.tagId,
        after: audited(tag, now),
      });
      return tag;
    }),
  );
}

/**
 * Changes the given fields. A later expiresAt makes an expired tag active again.
 * @throws Problem `not_found`, `invalid_state` for an archived tag, `conflict`, `invalid_content`.
 */
export function updateTag(
  database: Database,
  author: Author,
  tagId: string,
  patch: TagPatch,
  now: Date,
): Promise<TagRow> {
  return assertNameIsFree(
    database.transaction(async (transaction) => {
      const before = await lockTag(transaction, author.tenantId, tagId);
      assertNotArchived(before);
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

/** Keeps when a tag was to expire, before that changes. The caller has locked it. */
async function keepExpiry(transaction: Transaction, { tenantId, tagId, expiresAt }: TagRow, now: Date): Promise<void> {
  await rows(
    transaction,
    `insert into tag_past (tag_id, tenant_id, expires_at, until) values (:tagId, :tenantId, :expiresAt, :now)
     on conflict do nothing`,
    { tenantId, tagId, expiresAt, now },
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

async function archive(transaction: Transaction, author: Author, tagId: string, now: Date): Promise<Change> {
  const before = await lockTag(transaction, author.tenantId, tagId);
  if (before.status === 'archived') return 'unchanged';
  await TagRow.query(transaction).findById(tagId).patch({ status: 'archived', archivedAt: now });
  // Nothing assigns an archived tag, so nothing has to be kept from assigning it again.
  await rows(transaction, 'delete from removed_assignment where tag_id = :tagId', { tagId });
  await recordAudit(transaction, author, {
    action: 'tag.archive',
    objectType: 'tag',
    objectId: tagId,
    before: audited(before, now),
  });
  return 'done';
}

/** Its assignments stay readable. Idempotent. @throws Problem `not_found`. */
export async function archiveTag(database: Database, author: Author, tagId: string, now: Date): Promise<void> {
  await database.transaction((transaction) => archive(transaction, author, tagId, now));
}

/** The same for several. @returns what became of each. */
export function archiveTags(
  database: Database,
  author: Author,
  tagIds: readonly string[],
  now: Date,
): Promise<BatchResult[]> {
  return changeEach(database, tagIds, (transaction, tagId) => archive(transaction, author, tagId, now));
}
