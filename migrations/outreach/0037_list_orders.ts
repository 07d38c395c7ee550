import type { Knex } from 'knex';

/**
 * Orders in which lists are read page by page. Each index keeps changes of its table out while it is built: campaigns, tags
 * and rules are few; a million contacts take about 3 s, in which their events wait in the inbox. What changes with every
 * click or tag, such as a tag's count of contacts, has none: its rows could no longer be updated in place.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index campaign_by_name on campaign (tenant_id, (lower(name) collate "C"), campaign_id);
    create index tag_by_name on tag (tenant_id, service_number_id, (lower(name) collate "C"), tag_id);
    create index tag_by_creation on tag (tenant_id, service_number_id, created_at, tag_id);
    create index smart_tag_rule_by_name on smart_tag_rule (tenant_id, (lower(name) collate "C"), rule_id)
      where removed_at is null;
    create index contact_profile_by_entry on contact_profile
      (tenant_id, service_number_id, coalesce(entered_at, timestamptz '0001-01-01 00:00:00+00'), contact_id);`);
}
