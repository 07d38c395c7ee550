import { etagOf } from '#domain/api/if-match.ts';
import type { ContactTag, Tag, TagAssignment } from '#domain/api/tags.ts';
import { tagStatusAt } from '#domain/tags/status.ts';
import type { TagRow } from '#db/outreach/models/tags.ts';
import type { ContactTagRecord, TagAssignmentRecord } from '#db/outreach/tags/assignments.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

export function presentTag(row: TagRow, now: Date): Tag {
  return {
    tagId: row.tagId,
    etag: etagOf(row.revision),
    serviceNumberId: row.serviceNumberId,
    name: row.name,
    source: row.source,
    kind: row.kind,
    color: row.color,
    status: tagStatusAt(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    contactCount: row.contactCount,
    createdAt: row.createdAt.toISOString(),
  };
}

export function presentTagAssignment({ at: _at, ...row }: TagAssignmentRecord): TagAssignment {
  return withIsoTimes(row);
}

export function presentContactTag({ at: _at, ...row }: ContactTagRecord): ContactTag {
  return withIsoTimes(row);
}
