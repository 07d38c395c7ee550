import type { Database } from '#db/database.ts';
import { countAudience, keepCount } from '#db/outreach/audiences/counts.ts';
import type { AudienceOwner } from '#db/outreach/audiences/owner.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';

/** countAudience in a transaction of its own, as the preview that a later `:send` compares with. */
export function previewAudience(
  database: Database,
  owner: AudienceOwner,
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  return database.transaction(async (transaction) => {
    const preview = await countAudience(transaction, owner, source, now);
    await keepCount(transaction, owner, source, { preview, now });
    return preview;
  });
}
