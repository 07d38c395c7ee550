import { type Database, rows } from '#db/database.ts';

/**
 * Marks at most `limit` tags that had expired by `now`; a tag whose expiry was extended in the meantime is left
 * alone.
 * @returns how many.
 */
export async function expireTags(database: Database, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const expired = await rows(
    database,
    `update tag set status = 'expired' where tag_id in (
       select tag_id from tag where status = 'active' and expires_at <= :now order by expires_at limit :limit for update)
     returning 1`,
    { now, limit },
  );
  return expired.length;
}
