-- Who changed what, and a chain of hashes per tenant over it.

create table audit_log (
  audit_id text not null,
  tenant_id text not null,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  caller_request_id text,
  salt uuid default gen_random_uuid()
) partition by range (at);
create table audit_log_rest partition of audit_log default;
comment on table audit_log is 'partitioned by month';
comment on column audit_log.salt is
  'renewed by an erasure: the digest of what was there before then says nothing about whom it named';
create index audit_log_by_object on audit_log (tenant_id, object_type, object_id, at);
create index audit_log_by_time on audit_log (tenant_id, at desc, audit_id desc);
create index audit_log_by_actor on audit_log (tenant_id, actor, at desc, audit_id desc);
alter table audit_log add primary key (audit_id, at);
select add_month('audit_log', (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from generate_series(0, 1) as n;

-- An insert notes its digest here and waits for nobody.
create table audit_unsealed (
  number bigint generated always as identity primary key,
  tenant_id text not null,
  entry_id text not null,
  written_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp(),
  erasure_id text,
  digest bytea not null
);
comment on table audit_unsealed is 'audit entries that have no place in the chain of their tenant yet';

create table audit_seal (
  tenant_id text not null,
  position bigint not null,
  entry_id text not null,
  written_at timestamptz not null,
  noted_at timestamptz not null,
  erasure_id text,
  digest bytea not null,
  hash bytea not null,
  primary key (tenant_id, position)
);
comment on column audit_seal.erasure_id is
  'the erasure that put a pseudonym into the entry, whose digest is another since';
comment on column audit_seal.hash is 'SHA-256 of the hash before, the digest and what the other columns say';
create index audit_seal_by_entry on audit_seal (tenant_id, entry_id);

create table audit_chain (
  tenant_id text primary key,
  position bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  removed_to bigint not null default 0,
  removed_hash bytea not null default decode(repeat('00', 32), 'hex'),
  removed_before timestamptz,
  removed_at timestamptz,
  removed_as text check (removed_as in ('retention', 'uninstalled'))
);
comment on column audit_chain.removed_to is
  'position of the last seal that was deleted; the chain goes on from removed_hash';
comment on column audit_chain.removed_before is 'entries that were written earlier may be missing';

-- The digest of a new entry: jsonb has one text for one value.
create function note_audit_entry() returns trigger language plpgsql
  security definer set search_path = outreach, pg_temp as $$
begin
  insert into audit_unsealed (tenant_id, entry_id, written_at, digest)
  values (new.tenant_id, new.audit_id::text, new.at, sha256(convert_to(jsonb_build_array(
    new.audit_id, new.tenant_id, to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    new.actor, new.action, new.object_type, new.object_id, new.before, new.after,
    new.request_id, new.caller_request_id, new.salt)::text, 'UTF8')));
  return null;
end $$;
create trigger audit_log_noted after insert on audit_log
  for each row execute function note_audit_entry();

-- Gives what was noted its place in the chain; at most one of them does so at a time.
create function seal_audit(maximum integer) returns setof audit_chain language plpgsql
  security definer set search_path = outreach, pg_temp as $$
declare
  waiting audit_unsealed;
  chain audit_chain;
begin
  if not pg_try_advisory_xact_lock('audit_chain'::regclass::oid::bigint) then return; end if;
  for waiting in
    select * from (select * from audit_unsealed order by number limit maximum) u order by u.tenant_id, u.number
  loop
    if chain.tenant_id is distinct from waiting.tenant_id then
      if chain.tenant_id is not null then return next chain; end if;
      insert into audit_chain (tenant_id) values (waiting.tenant_id) on conflict do nothing;
      select * into chain from audit_chain c where c.tenant_id = waiting.tenant_id for update;
    end if;
    chain.position := chain.position + 1;
    chain.hash := sha256(chain.hash || waiting.digest || convert_to(jsonb_build_array(
      waiting.tenant_id, chain.position, waiting.entry_id,
      to_char(waiting.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      to_char(waiting.noted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      waiting.erasure_id)::text, 'UTF8'));
    insert into audit_seal values (waiting.tenant_id, chain.position, waiting.entry_id, waiting.written_at,
      waiting.noted_at, waiting.erasure_id, waiting.digest, chain.hash);
    update audit_chain c set position = chain.position, hash = chain.hash where c.tenant_id = chain.tenant_id;
    delete from audit_unsealed where number = waiting.number;
  end loop;
  if chain.tenant_id is not null then return next chain; end if;
end $$;

-- What follows is what a service may do with entries besides adding them, each leaving its trace in the chain.

create function rewrite_audit_entry(tenant text, entry text, erasure text, contact text, new_before jsonb, new_after jsonb)
  returns boolean language plpgsql
  security definer set search_path = outreach, pg_temp as $$
declare
  named text := substr(to_jsonb(contact)::text, 2, length(to_jsonb(contact)::text) - 2);
  replacement text;
  found_entry audit_log;
begin
  select pseudonym into replacement from erased_contact
  where erasure_id = erasure and tenant_id = tenant and finished_at is null;
  if replacement is null then
    raise exception 'there is no such erasure' using errcode = 'insufficient_privilege';
  end if;
  select * into found_entry from audit_log where tenant_id = tenant and audit_id = entry for update;
  if not found then return false; end if;
  -- With the id back in its place, everything must be as it was.
  if replace(jsonb_build_array(new_before, new_after)::text, replacement, named)::jsonb
    <> replace(jsonb_build_array(found_entry.before, found_entry.after)::text, replacement, named)::jsonb then
    raise exception 'an erasure replaces the id and nothing else' using errcode = 'insufficient_privilege';
  end if;
  update audit_log set before = new_before, after = new_after, salt = gen_random_uuid()
  where tenant_id = tenant and audit_id = entry returning * into found_entry;
  insert into audit_unsealed (tenant_id, entry_id, written_at, erasure_id, digest)
  values (tenant, entry, found_entry.at, erasure, sha256(convert_to(jsonb_build_array(
    found_entry.audit_id, found_entry.tenant_id, to_char(found_entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    found_entry.actor, found_entry.action, found_entry.object_type, found_entry.object_id, found_entry.before, found_entry.after,
    found_entry.request_id, found_entry.caller_request_id, found_entry.salt)::text, 'UTF8')));
  return true;
end $$;

-- Deletes at most this many expired entries of months without a partition or, once there are none, seals of entries
-- that are gone. Entries and seals are never deleted on their first day.
create function forget_audit(earlier timestamptz, maximum integer) returns integer language plpgsql
  security definer set search_path = outreach, pg_temp as $$
declare
  removed int;
  chain audit_chain;
  last bigint;
begin
  if earlier > now() - interval '1 day' then
    raise exception 'not older than a day' using errcode = 'insufficient_privilege';
  end if;
  with gone as (
    delete from audit_log_rest where ctid = any(array(
      select ctid from audit_log_rest where at < earlier limit maximum for update)) returning tenant_id
  ), noted as (
    insert into audit_chain as c (tenant_id, removed_before, removed_at, removed_as)
    select distinct tenant_id, earlier, now(), 'retention' from gone
    on conflict (tenant_id) do update
      set removed_before = excluded.removed_before, removed_at = excluded.removed_at, removed_as = excluded.removed_as
      where c.removed_before is null or c.removed_before < excluded.removed_before
  )
  select count(*) into removed from gone;
  if removed > 0 then return removed; end if;
  for chain in
    select c.* from audit_chain c join audit_seal s on s.tenant_id = c.tenant_id and s.position = c.removed_to + 1
    where s.written_at < c.removed_before order by c.tenant_id for update of c
  loop
    select s.position - 1 into last from audit_seal s
    where s.tenant_id = chain.tenant_id and s.written_at >= chain.removed_before order by s.position limit 1;
    last := least(coalesce(last, chain.position), chain.removed_to + maximum - removed);
    update audit_chain c set removed_to = last, removed_hash = s.hash from audit_seal s
    where c.tenant_id = chain.tenant_id and s.tenant_id = chain.tenant_id and s.position = last;
    delete from audit_seal s where s.tenant_id = chain.tenant_id and s.position <= last;
    removed := removed + (last - chain.removed_to);
    exit when removed >= maximum;
  end loop;
  return removed;
end $$;

-- Deletes at most this many entries of a tenant that has uninstalled everything, and their seals with the last.
create function forget_audit_of(tenant text, maximum integer) returns integer language plpgsql
  security definer set search_path = outreach, pg_temp as $$
declare
  removed int;
begin
  if (select coalesce(bool_or(status <> 'UNINSTALLED'), true) from tenant_integration where tenant_id = tenant) then
    raise exception 'it is not uninstalled' using errcode = 'insufficient_privilege';
  end if;
  delete from audit_log where (audit_id, at) in (
    select audit_id, at from audit_log where tenant_id = tenant limit maximum);
  get diagnostics removed = row_count;
  if removed > 0 then
    insert into audit_chain as c (tenant_id, removed_before, removed_at, removed_as)
    values (tenant, clock_timestamp(), now(), 'uninstalled')
    on conflict (tenant_id) do update
      set removed_before = excluded.removed_before, removed_at = excluded.removed_at, removed_as = excluded.removed_as;
    return removed;
  end if;
  delete from audit_unsealed where tenant_id = tenant;
  delete from audit_seal where tenant_id = tenant;
  get diagnostics removed = row_count;
  update audit_chain set removed_to = position, removed_hash = hash where tenant_id = tenant and removed > 0;
  return removed;
end $$;
