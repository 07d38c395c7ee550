import type { Knex } from 'knex';

/**
 * Clicks and conversations store the ordinal of their contact, as sets of bits count them. Adds columns without a value, which
 * rewrites nothing; what is stored already is looked up by its id.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table click_attribution add column contact_ordinal integer;
    alter table conversation add column contact_ordinal integer;
    comment on column click_attribution.contact_ordinal is 'of the contact''s profile on the service number of the campaign; null if there was none';
    comment on column conversation.contact_ordinal is 'of the contact''s profile on the service number of the campaign; null if there was none'`);
}
