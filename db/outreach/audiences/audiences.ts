import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { AudienceMemberRow, AudienceRow } from '../models/audiences.ts';

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

export async function replaceMembers(
  transaction: Transaction,
  audienceId: string,
  contactIds: string[],
): Promise<number> {
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
