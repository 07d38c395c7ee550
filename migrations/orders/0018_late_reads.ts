import type { Knex } from 'knex';

/** For how long reads of ended charges have failed. Adding the column rewrites nothing; the index has only what waits. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payment_attempt add column read_due_at timestamptz;
    comment on column payment_attempt.read_due_at is
      'when the first of the reads that have failed since the last success was due; null if none has';
    create index payment_attempt_read_due on payment_attempt ((coalesce(read_due_at, next_read_at)))
      where next_read_at is not null;
  `);
}
