import { raw } from 'objection';
import type { Page } from '#domain/api/primitives.ts';
import type { tagStatuses } from '#domain/api/tags.ts';
import { pageOf } from '#domain/cursor.ts';
import type { tagSorts } from '#domain/lists/sorts.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { type ListOrder, orderedPage } from '../list-order.ts';
import { TagRow } from '../models/tags.ts';

type TagStatus = (typeof tagStatuses)[number];

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

/** Keeps when a tag was to expire, before that changes. The caller has locked it. */
export async function keepExpiry(
  transaction: Transaction,
  { tenantId, tagId, expiresAt }: TagRow,
  now: Date,
): Promise<void> {
  await rows(
    transaction,
    `insert into tag_past (tag_id, tenant_id, expires_at, until) values (:tagId, :tenantId, :expiresAt, :now)
     on conflict do nothing`,
    { tenantId, tagId, expiresAt, now },
  );
}
