import type { AuditEntry } from '#domain/api/audit.ts';
import type { AuditRecord } from '#db/outreach/audit/list.ts';

export function presentAuditEntry({ writtenAt, ...entry }: AuditRecord): AuditEntry {
  return { ...entry, at: writtenAt.toISOString() };
}
