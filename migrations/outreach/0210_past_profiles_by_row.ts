import type { Knex } from 'knex';

/**
 * Most profiles that are stored change in nothing that is kept of the past: the trigger asks for each row whether `changed_at`
 * has, and runs for no other. For each statement, it ran for all of them, and read what they were and are.
 *
 * Locks contact_profile against writers for as long as its triggers are exchanged, and reads nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger contact_profile_changed on contact_profile;
    drop function keep_past_profiles();
    create function keep_past_profile() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into contact_profile_past (tenant_id, service_number_id, contact_id, channel, language, region, attributes,
        follow_state, unsubscribed, since, until)
      values (old.tenant_id, old.service_number_id, old.contact_id, old.channel, old.language, old.region, old.attributes,
        old.follow_state, old.unsubscribed, old.changed_at, new.changed_at)
      on conflict do nothing;
      return null;
    end $$;
    create trigger contact_profile_changed after update of changed_at on contact_profile
      for each row when (old.changed_at is distinct from new.changed_at) execute function keep_past_profile();`);
}
