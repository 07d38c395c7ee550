import type { Knex } from 'knex';

/** What says why an order stands still, and when sweeps and Schedules last ran. It rewrites nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payment_attempt add column unanswered_since timestamptz;
    alter table refund add column unanswered_since timestamptz, add column unpaid_since timestamptz;
    comment on column payment_attempt.unanswered_since is
      'since when every call about it to the payment gateway has failed; null after one that did not';
    comment on column refund.unanswered_since is
      'since when every call about it to the payment gateway has failed; null after one that did not';
    comment on column refund.unpaid_since is 'since when the gateway has shown no money to give back';
    create table recurring_run (
      kind text primary key,
      started_at timestamptz not null,
      completed_at timestamptz
    );
    comment on table recurring_run is 'when each sweep and Schedule last began, and last came to its end';
  `);
}
