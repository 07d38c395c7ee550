-- Every write of the administration, and a chain of hashes per tenant over them.

-- Who did what to what, with what was there before and after, and during which request: our own id of it and,
-- apart from it, its caller's.
create table audit_entry (
  entry_id uuid primary key,
  tenant_id text not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  caller_request_id text
);
create index audit_entry_by_tenant on audit_entry (tenant_id, entry_id desc);
create index audit_entry_by_actor on audit_entry (tenant_id, actor, entry_id desc);

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

-- The digest of a new entry: jsonb has one text for one value. It covers the ids of requests if there is one.
create function note_audit_entry() returns trigger language plpgsql
  security definer set search_path = orders, pg_temp as $$
begin
  insert into audit_unsealed (tenant_id, entry_id, written_at, digest)
  values (new.tenant_id, new.entry_id::text, new.at, sha256(convert_to((jsonb_build_array(
    new.entry_id, new.tenant_id, to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    new.actor, new.action, new.subject_type, new.subject_id, new.before, new.after)
    || case when num_nonnulls(new.request_id, new.caller_request_id) > 0
      then jsonb_build_array(new.request_id, new.caller_request_id) else '[]' end)::text, 'UTF8')));
  return null;
end $$;
create trigger audit_entry_noted after insert on audit_entry
  for each row execute function note_audit_entry();

-- Gives what was noted its place in the chain; at most one of them does so at a time.
create function seal_audit(maximum integer) returns setof audit_chain language plpgsql
  security definer set search_path = orders, pg_temp as $$
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
