import type { Knex } from 'knex';

/**
 * The sweep reads the refunds that are due, not all that are open. Adding the column rewrites nothing; the index has
 * only what is open.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table refund add column drive_at timestamptz not null default now() + interval '5 seconds';
    comment on column refund.drive_at is
      'when the sweep next sees to it that a workflow carries out the refund, while it is pending';
    create index refund_to_drive on refund (drive_at) where status = 'pending';
  `);
}
