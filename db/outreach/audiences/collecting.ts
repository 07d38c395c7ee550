import { type Database, rows } from '#db/database.ts';

/** Lists that nobody has added to since `before`: the process that filled them died. */
export async function unfinishedLists(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const found = await rows<{ audienceId: string }>(
    database,
    `select audience_id from audience where collecting is not null and updated_at < :before
     order by updated_at limit :limit`,
    { before, limit },
  );
  return found.map(({ audienceId }) => audienceId);
}
