import { raw } from 'objection';
import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import type { contactSorts } from '#domain/lists/sorts.ts';
import type { Database } from '#db/database.ts';
import { containing, indexedLetters, isFoundByPairs, lettersOf, pairsOf, pairsTyped } from '#db/text-search.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';
import { ContactProfileRow } from '../models/contacts.ts';

/** Matches the index contact_profile_search; no input matches across the line break. */
const searched = "(contact_id || chr(10) || coalesce(display_name, ''))";

/** Matches the index contact_profile_letters: the non-ASCII characters as a list; null if there are none. */
const letters = lettersOf("contact_id || chr(10) || coalesce(display_name, '')");

/** Matches the index contact_profile_pairs. */
const pairs = pairsOf("contact_id || chr(10) || coalesce(display_name, '')");

/** Contacts scanned in order before an index is used: frequent values are among them. */
const LOOKED_AT = 20_000;

export interface ContactFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  /** Part of an id or a name, case-insensitive. */
  q?: string | undefined;
  /** Contacts of the tag's service number that have the tag. */
  tagId?: string | undefined;
  sort?: (typeof contactSorts)[number] | undefined;
}

/** As the index contact_profile_by_entry has it: who has not entered comes before everybody. */
const entered = "coalesce(entered_at, timestamptz '0001-01-01 00:00:00+00')";

/** The order within a service number, in the direction of `sort`, and where the page begins. */
function orderOf({ sort, cursor }: Pick<ContactFilter, 'sort' | 'cursor'>) {
  if (sort === undefined) {
    const [serviceNumber, contact] = decodeCursor(z.tuple([keyText, keyText]), cursor) ?? [];
    return {
      columns: ['service_number_id', 'contact_id'],
      direction: 'asc',
      after: serviceNumber === undefined ? null : '(service_number_id, contact_id) > (:serviceNumber, :contact)',
      bindings: { serviceNumber, contact },
      positionOf: (row: ContactProfileRow) => [row.serviceNumberId, row.contactId],
    };
  }
  const [serviceNumber, at, contact] = decodeCursor(z.tuple([keyText, moment, keyText, z.literal(sort)]), cursor) ?? [];
  const descends = sort === '-enteredAt';
  return {
    columns: ['service_number_id', entered, 'contact_id'],
    direction: descends ? 'desc' : 'asc',
    after:
      at === undefined
        ? null
        : `(service_number_id, ${entered}, contact_id) ${descends ? '<' : '>'} (:serviceNumber, ${atMicroseconds('at')}, :contact)`,
    bindings: { serviceNumber, at, contact },
    positionOf: (row: ContactProfileRow) => [row.serviceNumberId, row.at ?? '', row.contactId, sort],
  };
}

/** The contacts of a page in their order, without those that are searched or filtered for. */
function orderedContacts(
  database: Database,
  tenantId: string,
  { serviceNumberId, ...page }: Pick<ContactFilter, 'serviceNumberId' | 'sort' | 'cursor'>,
) {
  const { columns, direction, after, bindings } = orderOf(page);
  const query = ContactProfileRow.query(database)
    .where({ tenantId })
    .orderByRaw(columns.map((column) => `${column} ${direction}`).join(', '));
  if (after !== null) query.whereRaw(after, bindings);
  if (serviceNumberId !== undefined) query.where('serviceNumberId', serviceNumberId);
  return query;
}

type ContactQuery = ReturnType<typeof orderedContacts>;

function narrow(query: ContactQuery, tenantId: string, { tagId }: ContactFilter, typed: string): ContactQuery {
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
  return query;
}

/** By service number and id or as asked for, page by page. */
export async function listContacts(
  database: Database,
  tenantId: string,
  filter: ContactFilter,
): Promise<Page<ContactProfileRow>> {
  const { limit, q } = filter;
  const { positionOf } = orderOf(filter);
  const typed = q?.trim() ?? '';
  const pageFrom = async (source?: ContactQuery) => {
    const query = orderedContacts(database, tenantId, filter);
    if (source) query.from(source.as('contact_profile'));
    return await narrow(query, tenantId, filter, typed)
      .select('contact_profile.*', raw(toMicroseconds(entered)).as('at'))
      .limit(limit + 1);
  };
  if (!isFoundByPairs(typed)) return pageOf(await pageFrom(), limit, positionOf);
  const first = await pageFrom(orderedContacts(database, tenantId, filter).limit(LOOKED_AT));
  if (first.length > limit) return pageOf(first, limit, positionOf);
  // The offset keeps the planner from going through all contacts in their order.
  const having = ContactProfileRow.query(database)
    .where({ tenantId })
    .whereRaw(`${pairs} @> ${pairsTyped}`, { typed })
    .offset(0);
  return pageOf(await pageFrom(having), limit, positionOf);
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
