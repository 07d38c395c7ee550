import type { Knex } from 'knex';

/**
 * How cancelling ended, and who got a campaign twice. The columns are added without a rewrite and the index is built
 * over campaigns that were sent twice, of which there are none yet: an exclusive lock of milliseconds, and a second
 * for the one pass over a million campaigns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaign
      add column cancelled_at timestamptz,
      add column cancel_outcome text check (cancel_outcome in ('cancelled', 'partly', 'too_late')),
      add column sent_twice integer not null default 0,
      add column sent_twice_at timestamptz;
    comment on column campaign.cancelled_at is 'when :cancel was accepted; closing requests a cancellation without it';
    comment on column campaign.sent_twice is 'contacts of sub-tasks that turned out to have been sent after a retry had sent to the same contacts';
    create index campaign_sent_twice on campaign (tenant_id, sent_twice_at) where sent_twice > 0;`);
}
