import type { Knex } from 'knex';

const tables = `
  create table contact_profile (
    tenant_id text not null references tenant,
    service_number_id text not null,
    contact_id text not null,
    display_name text,
    channel text,
    language text,
    region text,
    attributes jsonb not null default '{}',
    follow_state text not null check (follow_state in ('following', 'unfollowed')),
    unsubscribed boolean not null default false,
    entered_at timestamptz,
    last_event_at timestamptz not null,
    updated_at timestamptz not null default now(),
    -- occurredAt of the newest event that reported each field, so that events in any order give the same profile.
    field_times jsonb not null default '{}',
    -- Whole audiences are merged with the index alone, so it includes whether a contact can be reached.
    primary key (tenant_id, service_number_id, contact_id) include (follow_state, unsubscribed)
  );

  -- A profile holds the current state only; who followed and left when is kept here, by contact in the primary key.
  create table contact_event (
    tenant_id text not null,
    service_number_id text not null,
    contact_id text not null,
    event_id text not null,
    event_type text not null,
    occurred_at timestamptz not null,
    primary key (tenant_id, service_number_id, contact_id, event_id)
  );`;

/**
 * Parts of ids and names are found by their trigrams. The extension is trusted, so the database owner may create it;
 * a server without it finds contacts by a full scan. One or two Chinese characters have no trigram, and Chinese text
 * has none at all if the database's locale is C, so each non-ASCII character is indexed by itself.
 */
const search = `
  create index contact_profile_letters on contact_profile using gin (regexp_split_to_array(nullif(regexp_replace(
    contact_id || chr(10) || coalesce(display_name, ''), '[[:ascii:]]+', '', 'g'), ''), ''));
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
  end $$;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(tables);
  await knex.raw(search);
}
