import { type Database, rows } from '#db/database.ts';

/** Taggings without progress since `before`: their process died. */
export async function unfinishedTaggings(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const found = await rows<{ taggingId: string }>(
    database,
    `select tagging_id from clicker_tagging where updated_at < :before order by updated_at limit :limit`,
    { before, limit },
  );
  return found.map(({ taggingId }) => taggingId);
}
