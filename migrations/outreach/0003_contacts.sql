-- Contacts as they are and were, how they are found, and their erasure.

create sequence contact_ordinal as integer;

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
  ordinal integer not null default nextval('contact_ordinal'),
  changed_at timestamptz,
  -- Whole audiences are merged with the index alone, so it includes whether a contact can be reached.
  primary key (tenant_id, service_number_id, contact_id) include (follow_state, unsubscribed)
);
comment on column contact_profile.entered_at is 'when the contact first entered or followed; null: no event said so';
comment on column contact_profile.ordinal is 'the contact''s bit in the blocks of tags';
comment on column contact_profile.changed_at is
  'since when channel, language, region, attributes, the time of entry and whether the contact can be reached are what they are; null: for as long as history is kept';

-- Parts of ids and names are found by their trigrams. The extension is trusted, so the database owner may create it;
-- a server without it finds contacts by a full scan. One or two Chinese characters have no trigram, and Chinese text
-- has none at all if the database's locale is C, so each non-ASCII character is indexed by itself.
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
end $$;
create index contact_profile_by_entry on contact_profile
  (tenant_id, service_number_id, coalesce(entered_at, timestamptz '0001-01-01 00:00:00+00'), contact_id);
-- Those whom a preview counts apart from everybody else with its tags.
create index contact_profile_unreached on contact_profile (tenant_id, service_number_id, ordinal) include (unsubscribed)
  where unsubscribed or follow_state <> 'following';
-- Parts that are too short for a trigram are found by their pairs of characters: each pair of neighbours within
-- lines, from the first character on and from the second; a line's last character may stand alone.
create index contact_profile_pairs on contact_profile using gin ((
  string_to_array(regexp_replace(lower(contact_id || chr(10) || coalesce(display_name, '')),
    '(..)', '\1' || chr(10), 'g'), chr(10))
  || string_to_array(regexp_replace(substr(lower(contact_id || chr(10) || coalesce(display_name, '')), 2),
    '(..)', '\1' || chr(10), 'g'), chr(10))));
-- Everybody of a service number, 64 ordinals at a time, without reading the profiles: 0.7 s for a million
-- contacts. Its condition holds for all, and keeps the planner from looking up a contact by it as long as there
-- are no statistics.
create index contact_profile_by_word on contact_profile (tenant_id, service_number_id, (ordinal >> 6)) include (ordinal)
  where ordinal >= 0;

create table contact_profile_past (
  tenant_id text not null,
  service_number_id text not null,
  contact_id text not null,
  channel text,
  language text,
  region text,
  attributes jsonb not null,
  follow_state text not null,
  unsubscribed boolean not null,
  entered_at timestamptz,
  since timestamptz,
  until timestamptz not null,
  primary key (tenant_id, service_number_id, contact_id, until)
) partition by range (until);
create table contact_profile_past_rest partition of contact_profile_past default;
comment on table contact_profile_past is 'partitioned by month; what profiles were before they changed';

-- Whoever stores a profile says in changed_at when what segments ask for has changed. Most profiles that are
-- stored change in nothing that is kept of the past: the trigger asks for each row whether `changed_at` has,
-- and runs for no other.
create function keep_past_profile() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into contact_profile_past (tenant_id, service_number_id, contact_id, channel, language, region, attributes,
    follow_state, unsubscribed, entered_at, since, until)
  values (old.tenant_id, old.service_number_id, old.contact_id, old.channel, old.language, old.region, old.attributes,
    old.follow_state, old.unsubscribed, old.entered_at, old.changed_at, new.changed_at)
  on conflict do nothing;
  return null;
end $$;
create trigger contact_profile_changed after update of changed_at on contact_profile
  for each row when (old.changed_at is distinct from new.changed_at) execute function keep_past_profile();

-- A profile holds the current state only; who followed and left when is kept here, by contact in the primary key.
create table contact_event (
  tenant_id text not null,
  service_number_id text not null,
  contact_id text not null,
  event_id text not null,
  event_type text not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, service_number_id, contact_id, event_id, occurred_at)
) partition by range (occurred_at);
create table contact_event_rest partition of contact_event default;
comment on table contact_event is 'partitioned by month';

select add_month(parent, (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from unnest(array['contact_profile_past', 'contact_event']) as parent, generate_series(0, 1) as n;

create table erasure_key (
  tenant_id text primary key references tenant,
  secret_encrypted text not null
);
comment on table erasure_key is
  'the key of the hashes in erased_contact, made when the first contact of a tenant is erased';

create table erased_contact (
  erasure_id text primary key,
  tenant_id text not null references tenant,
  id_hash text not null,
  requested_at timestamptz not null,
  erased_at timestamptz,
  finished_at timestamptz,
  contact_encrypted text,
  pseudonym text,
  check ((finished_at is null) = (contact_encrypted is not null) and (finished_at is null) = (pseudonym is not null))
);
comment on table erased_contact is 'so that events from before the erasure bring nothing back';
comment on column erased_contact.id_hash is 'HMAC-SHA256 of the contact''s id, hexadecimal';
comment on column erased_contact.erased_at is
  'what occurred up to then is not taken any more; null while the contact is being erased, when nothing is';
comment on column erased_contact.contact_encrypted is
  'the id, until the erasure is finished: another process may have to continue';
comment on column erased_contact.pseudonym is
  'what stands for the contact, until the erasure is finished: after that nothing leads from one to the other';
create index erased_contact_by_hash on erased_contact (tenant_id, id_hash);
create index erased_contact_unfinished on erased_contact (requested_at) where finished_at is null;
