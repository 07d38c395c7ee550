import type { Knex } from 'knex';

/**
 * How often an event was tried, and whom and what it is about as far as its first try could tell: no index has to be
 * written while events are taken in. Columns without a rewrite; the indexes begin empty, and building them reads the table
 * once, about half a second for a million events, while nothing is stored. Events from before are found by their id alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table event_inbox add column attempts integer not null default 0,
      add column contact_id text, add column campaign_id text;
    comment on column event_inbox.attempts is 'how often it was handled; a batch that was rolled back does not count';
    create index event_inbox_by_contact on event_inbox (tenant_id, contact_id, received_at desc, event_id desc)
      where contact_id is not null;
    create index event_inbox_by_campaign on event_inbox (tenant_id, campaign_id, status, received_at desc, event_id desc)
      where campaign_id is not null;
  `);
}
