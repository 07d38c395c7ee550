import type { Backtest } from '../../../../domain/api/rules.ts';
import { firstRow, rows, type Transaction } from '../../../database.ts';

const namedContacts = 1000;

/**
 * Creates the table `found_contact`, which is dropped with the transaction: however many contacts a rule finds, they
 * stay in the database. From then on the transaction can write to temporary tables only.
 */
export async function createFoundTable(transaction: Transaction): Promise<void> {
  await transaction.raw(
    `create temporary table found_contact (contact_id text collate "C" primary key, position bigint not null) on commit drop;
     set transaction read only`,
  );
}

/** Adds contacts in the order in which they were found, after the first `before`. */
export async function addFound(
  transaction: Transaction,
  { contactIds, before }: { contactIds: string[]; before: number },
): Promise<void> {
  await rows(
    transaction,
    `insert into found_contact (contact_id, position)
     select contact_id, :before::bigint + place from unnest(:contactIds::text[]) with ordinality as g(contact_id, place)
     order by place on conflict do nothing`,
    { contactIds, before },
  );
}

/** How many different contacts were found, and the ids of those that were found first. */
export async function readFound(transaction: Transaction): Promise<Pick<Backtest, 'contacts' | 'contactIds'>> {
  const found = await firstRow<Pick<Backtest, 'contacts' | 'contactIds'>>(
    transaction,
    `select count(*) as contacts,
       array(select contact_id from found_contact order by position limit :namedContacts) as contact_ids
     from found_contact`,
    { namedContacts },
  );
  return found ?? { contacts: 0, contactIds: [] };
}
