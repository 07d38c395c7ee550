import { mentions, withoutMentions } from '#domain/contacts/mentions.ts';
import { type Database, rows } from '#db/database.ts';
import type { Erasure } from './erasures.ts';
import { rowsThatMayName } from './scan.ts';

/** An entry of the audit log that names a contact. */
export interface NamingEntry {
  /** Position in microseconds. */
  at: string;
  id: string;
  writtenAt: Date;
  actor: string;
  action: string;
  objectType: string;
  objectId: string;
  before: unknown;
  after: unknown;
}

// An entry can have 10,000 ids, so few are held at a time.
const auditTable = {
  table: 'audit_log',
  at: 'at',
  id: 'audit_id',
  columns: 'audit_log.at as written_at, actor, action, object_type, object_id, before, after',
  mayName: `position(:needle in before::text) > 0 or position(:needle in after::text) > 0`,
  step: 1000,
  page: 10,
} as const;

/** Entries of the tenant's audit log that name the contact, the oldest first, a page at a time. */
export async function* entriesNaming(
  database: Database,
  named: { tenantId: string; contactId: string },
): AsyncGenerator<NamingEntry[]> {
  for await (const page of rowsThatMayName<NamingEntry>(database, named, auditTable)) {
    const found = page.filter(({ before, after }) => mentions([before, after], named.contactId));
    if (found.length > 0) yield found;
  }
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/**
 * Puts the pseudonym in the contact's place in the audit log: how many contacts an entry was about stays. Entries cannot
 * be changed otherwise; the chain notes that each was. Locks one entry at a time.
 */
export async function renameInAudit(database: Database, erasure: Erasure): Promise<void> {
  const { tenantId, erasureId, contactId, pseudonym } = erasure;
  for await (const page of entriesNaming(database, erasure)) {
    for (const { id, before, after } of page)
      await rows(
        database,
        'select rewrite_audit_entry(:tenantId, :id, :erasureId, :contactId, :before::jsonb, :after::jsonb)',
        {
          tenantId,
          id,
          erasureId,
          contactId,
          before: json(withoutMentions(before, contactId, pseudonym)),
          after: json(withoutMentions(after, contactId, pseudonym)),
        },
      );
  }
}
