import type { Backtest } from '#domain/api/rules.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';

/** How many contacts a backtest names. */
export const NAMED_CONTACTS = 1000;

/** Memory for the hashes of a million contacts: with the 4 MB of other statements they would go through files. */
export const MEMORY = '64MB';

/**
 * Creates the table `found_contact`, which is dropped with the transaction: however many contacts a rule finds, they
 * stay in the database. It has one row for each event, without an index, which would cost more than everything else.
 * From then on the transaction can write to temporary tables only.
 */
export async function createFoundTable(transaction: Transaction): Promise<void> {
  await transaction.raw(
    `create temporary table found_contact (contact_id text collate "C" not null, position bigint not null) on commit drop;
     set local work_mem = '${MEMORY}'; set transaction read only`,
  );
}

/** Adds the contact of each event, in the order in which they were found, after the first `before`. */
export async function addFound(
  transaction: Transaction,
  { contactIds, before }: { contactIds: string[]; before: number },
): Promise<void> {
  await rows(
    transaction,
    `insert into found_contact (contact_id, position)
     select contact_id, :before::bigint + place from unnest(:contactIds::text[]) with ordinality as g(contact_id, place)`,
    { contactIds, before },
  );
}

/**
 * How many events and different contacts were found, and the ids of those that were found first, by id where they were
 * found together.
 */
export async function readFound(transaction: Transaction): Promise<Backtest> {
  const found = await firstRow<Backtest>(
    transaction,
    `with contacts as materialized (
       select contact_id, count(*) as events, min(position) as position from found_contact group by contact_id)
     select coalesce(sum(events), 0)::bigint as events, count(*) as contacts,
       array(select contact_id from contacts order by position, contact_id limit ${NAMED_CONTACTS}) as contact_ids
     from contacts`,
    {},
  );
  return found ?? { events: 0, contacts: 0, contactIds: [] };
}
