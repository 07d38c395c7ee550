import type { Knex } from 'knex';

/**
 * Parts of ids and names are found by their trigrams. The extension is a trusted one, so that the owner of the database
 * may create it; on a server that does not have it contacts are found all the same, by reading through them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare
      home text;
    begin
      create extension if not exists pg_trgm with schema outreach;
      select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_trgm';
      execute format('create index contact_profile_search on contact_profile
        using gin ((contact_id || chr(10) || coalesce(display_name, '''')) %I.gin_trgm_ops)', home);
    exception when feature_not_supported or undefined_file or insufficient_privilege then
      raise notice 'Contacts are searched without an index: %', sqlerrm;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index if exists contact_profile_search');
}
