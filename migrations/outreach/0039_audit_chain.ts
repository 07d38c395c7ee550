import type { Knex } from 'knex';
import { type AuditedTable, auditChain, digestOf } from '../audit-chain.ts';

const audited: AuditedTable = {
  schema: 'outreach',
  table: 'audit_log',
  id: 'audit_id',
  columns: [
    'audit_id',
    'tenant_id',
    'at',
    'actor',
    'action',
    'object_type',
    'object_id',
    'before',
    'after',
    'request_id',
    'caller_request_id',
    'salt',
  ],
};

const columns = `
  alter table audit_log add column caller_request_id text, add column salt uuid;
  alter table audit_log alter column salt set default gen_random_uuid();
  comment on column audit_log.salt is 'renewed by an erasure: the digest of what was there before then says nothing about whom it named';`;

/** What a service may do with entries besides adding them, each leaving its trace in the chain. */
const exceptions = `
  create function rewrite_audit_entry(tenant text, entry text, erasure text, contact text, new_before jsonb, new_after jsonb)
    returns boolean language plpgsql security definer set search_path = outreach, pg_temp as $$
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
    values (tenant, entry, found_entry.at, erasure, ${digestOf(audited, 'found_entry')});
    return true;
  end $$;

  -- Deletes at most this many expired entries of months without a partition or, once there are none, seals of entries
  -- that are gone. Entries and seals are never deleted on their first day.
  create function forget_audit(earlier timestamptz, maximum int) returns int language plpgsql security definer
    set search_path = outreach, pg_temp as $$
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
  create function forget_audit_of(tenant text, maximum int) returns int language plpgsql security definer
    set search_path = outreach, pg_temp as $$
  declare
    removed int;
  begin
    if (select coalesce(bool_or(status <> 'UNINSTALLED'), true) from tenant_integration where tenant_id = tenant) then
      raise exception 'it is not uninstalled' using errcode = 'insufficient_privilege';
    end if;
    delete from audit_log where (audit_id, at) in (select audit_id, at from audit_log where tenant_id = tenant limit maximum);
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
  end $$;`;

const months = `
  create or replace function drop_month(parent text, month date) returns boolean language plpgsql security definer
    set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
  declare
    leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
    ended timestamptz := month_bound('timestamp with time zone', (month + interval '1 month')::date)::timestamptz;
  begin
    if (partition_column(parent)).name is null or month + interval '1 month' > (now() at time zone 'UTC') then
      raise exception 'no ended partition of % for %', parent, month using errcode = 'invalid_parameter_value';
    end if;
    if to_regclass(format('%I', leaf)) is null then return false; end if;
    if parent = 'audit_log' then
      insert into audit_chain (tenant_id) select distinct tenant_id from audit_unsealed on conflict do nothing;
      update audit_chain set removed_before = ended, removed_at = now(), removed_as = 'retention'
      where removed_before is null or removed_before < ended;
    end if;
    execute format('drop table %I', leaf);
    return true;
  end $$;

  create or replace function add_month(parent text, month date) returns boolean language plpgsql security definer
    set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
  declare
    leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
    rest text := parent || '_rest';
    key record := partition_column(parent);
    first text := month_bound(key.type, month);
    next text := month_bound(key.type, (month + interval '1 month')::date);
    occupied boolean;
    role name;
  begin
    if key.name is null or month <> date_trunc('month', month)::date then
      raise exception 'no partition of % for %', parent, month using errcode = 'invalid_parameter_value';
    end if;
    if to_regclass(format('%I', leaf)) is not null then return false; end if;
    execute format('select exists (select from %I where %I >= %L and %I < %L)', rest, key.name, first, key.name, next)
      into occupied;
    if occupied then return false; end if;
    execute format('create table %I (like %I including all)', leaf, rest);
    -- The rights that the whole table gives are enough; those of a partition would be rights to change it.
    if parent = 'audit_log' then
      for role in
        select r.rolname from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
        where c.oid = to_regclass(format('%I', leaf)) and a.grantee <> c.relowner
      loop
        execute format('revoke all on %I from %I', leaf, role);
      end loop;
    end if;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, leaf, first, next);
    return true;
  end $$;`;

/**
 * Reads the audit log once, about 25 s for a million entries; they are written no earlier than it ends. The log gets two
 * columns without being rewritten.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
  await knex.raw(auditChain(audited));
  await knex.raw(exceptions);
  await knex.raw(months);
}
