import { etagOf } from '#domain/api/if-match.ts';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { restorableUntil } from '#domain/contacts/replaced.ts';
import type { AudienceRow } from '#db/outreach/models/audiences.ts';

export function presentAudience(row: AudienceRow): SavedAudience {
  const { audienceId, name, serviceNumberId, type, appTagIds, tagOperator, excludeTagIds, memberCount } = row;
  return {
    audienceId,
    etag: etagOf(row.revision),
    name,
    serviceNumberId,
    type,
    appTagIds,
    tagOperator,
    excludeTagIds,
    ...(row.segment && { segment: row.segment }),
    take: row.take,
    memberCount,
    isComplete: row.collecting === null,
    restorableUntil: row.replacedAt && restorableUntil(row.replacedAt).toISOString(),
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
