import type { Knex } from 'knex';

/**
 * The results of comparing balances with entries. The first row is the migration's own: nothing was checked, and the
 * age of the last check counts from here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ledger_check (
      checked_at timestamptz primary key default clock_timestamp(),
      accounts integer not null,
      drift integer not null,
      details jsonb not null
    );
    comment on column ledger_check.drift is 'how many accounts have balances that are not the sums of their entries';
    comment on column ledger_check.details is 'the first of them, with balances and sums';
    insert into ledger_check (accounts, drift, details) values (0, 0, '[]');
  `);
}
