import type { Knex } from 'knex';

/** A test that is asked for again under its Idempotency-Key is answered like the first, and sent once. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_send add column idempotency_key text, add column contact_count integer not null default 0,
      add column ended_at timestamptz;
    comment on column test_send.ended_at is 'the call came to an end; without a task_id nobody knows to which';
    create unique index test_send_idempotency on test_send (campaign_id, idempotency_key) where idempotency_key is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index test_send_idempotency;
    alter table test_send drop column ended_at, drop column contact_count, drop column idempotency_key;
  `);
}
