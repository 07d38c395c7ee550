import type { Knex } from 'knex';

/** Which pending charge has been unread for longest. About a second for a million orders, in which no payment moves. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index payment_attempt_unread on payment_attempt ((coalesce(read_at, created_at)))
      where hold_status = 'reserved' and charge_id is not null;
  `);
}
