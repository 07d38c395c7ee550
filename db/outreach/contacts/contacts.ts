import { z } from 'zod';
import type { Page } from '../../../domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '../../../domain/cursor.ts';
import type { Database } from '../../database.ts';
import { containing, indexedLetters, lettersOf } from '../../text-search.ts';
import { ContactProfileRow } from '../models/contacts.ts';

/** Matches the index contact_profile_search; no input matches across the line break. */
const searched = "(contact_id || chr(10) || coalesce(display_name, ''))";

/** Matches the index contact_profile_letters: the non-ASCII characters as a list; null if there are none. */
const letters = lettersOf("contact_id || chr(10) || coalesce(display_name, '')");

export interface ContactFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  /** Part of an id or a name, case-insensitive. */
  q?: string | undefined;
  /** Contacts of the tag's service number that have the tag. */
  tagId?: string | undefined;
}

/** By service number and id, page by page. */
export async function listContacts(
  database: Database,
  tenantId: string,
  { limit, cursor, serviceNumberId, q, tagId }: ContactFilter,
): Promise<Page<ContactProfileRow>> {
  const after = decodeCursor(z.tuple([keyText, keyText]), cursor);
  const query = ContactProfileRow.query(database)
    .where({ tenantId })
    .orderBy(['serviceNumberId', 'contactId'])
    .limit(limit + 1);
  if (after) query.whereRaw('(service_number_id, contact_id) > (?, ?)', after);
  if (serviceNumberId !== undefined) query.where('serviceNumberId', serviceNumberId);
  const typed = q?.trim() ?? '';
  if (typed !== '') {
    query.whereRaw(`${searched} ilike ?`, [containing(typed)]);
    const asked = indexedLetters(typed);
    if (asked.length > 0) query.whereRaw(`${letters} @> ?::text[]`, [asked]);
  }
  if (tagId !== undefined) {
    query.whereRaw(
      `exists (select 1 from tag_assignment a join tag t using (tag_id) where a.tag_id = ? and t.tenant_id = ?
         and t.service_number_id = contact_profile.service_number_id and a.contact_id = contact_profile.contact_id)`,
      [tagId, tenantId],
    );
  }
  return pageOf(await query, limit, (row) => [row.serviceNumberId, row.contactId]);
}

/** Null if the service number has no such contact. */
export async function findContact(
  database: Database,
  tenantId: string,
  serviceNumberId: string,
  contactId: string,
): Promise<ContactProfileRow | null> {
  return (await ContactProfileRow.query(database).findById([tenantId, serviceNumberId, contactId])) ?? null;
}
