/** An audit table, and what of an entry its digest covers, in this order. */
export interface AuditedTable {
  schema: 'outreach' | 'orders';
  table: string;
  id: string;
  columns: readonly string[];
  /** Columns that it got later. A digest covers them if one of them has a value, so that those from before stay as they are. */
  later?: readonly string[];
}

const time = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

const zero = `decode(repeat('00', 32), 'hex')`;

/** SQL: the digest of the row that `row` names; jsonb has one text for one value. */
export const digestOf = ({ columns, later = [] }: AuditedTable, row: string) => {
  const valuesOf = (names: readonly string[]) =>
    names.map((name) => (name === 'at' ? time(`${row}.at`) : `${row}.${name}`)).join(', ');
  const first = `jsonb_build_array(${valuesOf(columns)})`;
  const all =
    later.length === 0
      ? first
      : `(${first} || case when num_nonnulls(${valuesOf(later)}) > 0 then jsonb_build_array(${valuesOf(later)}) else '[]' end)`;
  return `sha256(convert_to(${all}::text, 'UTF8'))`;
};

/** SQL: notes the digest of each new entry. */
export const noteAuditEntry = (audited: AuditedTable) => `
  create or replace function note_audit_entry() returns trigger language plpgsql security definer
    set search_path = ${audited.schema}, pg_temp as $$
  begin
    insert into audit_unsealed (tenant_id, entry_id, written_at, digest)
    values (new.tenant_id, new.${audited.id}::text, new.at, ${digestOf(audited, 'new')});
    return null;
  end $$;`;

/**
 * SQL: a chain of hashes per tenant over an audit table. An insert notes its digest and waits for nobody;
 * `seal_audit` gives what was noted its place in the chain, and at most one of them does so at a time.
 */
export const auditChain = (audited: AuditedTable) => `
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
  create index audit_seal_by_entry on audit_seal (tenant_id, entry_id);
  comment on column audit_seal.erasure_id is 'the erasure that put a pseudonym into the entry, whose digest is another since';
  comment on column audit_seal.hash is 'SHA-256 of the hash before, the digest and what the other columns say';

  create table audit_chain (
    tenant_id text primary key,
    position bigint not null default 0,
    hash bytea not null default ${zero},
    removed_to bigint not null default 0,
    removed_hash bytea not null default ${zero},
    removed_before timestamptz,
    removed_at timestamptz,
    removed_as text check (removed_as in ('retention', 'uninstalled'))
  );
  comment on column audit_chain.removed_to is 'position of the last seal that was deleted; the chain goes on from removed_hash';
  comment on column audit_chain.removed_before is 'entries that were written earlier may be missing';

  ${noteAuditEntry(audited)}
  create trigger ${audited.table}_noted after insert on ${audited.table}
    for each row execute function note_audit_entry();

  create function seal_audit(maximum int) returns setof audit_chain language plpgsql security definer
    set search_path = ${audited.schema}, pg_temp as $$
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
      chain.hash := sha256(chain.hash || waiting.digest || convert_to(jsonb_build_array(waiting.tenant_id,
        chain.position, waiting.entry_id, ${time('waiting.written_at')}, ${time('waiting.noted_at')},
        waiting.erasure_id)::text, 'UTF8'));
      insert into audit_seal values (waiting.tenant_id, chain.position, waiting.entry_id, waiting.written_at,
        waiting.noted_at, waiting.erasure_id, waiting.digest, chain.hash);
      update audit_chain c set position = chain.position, hash = chain.hash where c.tenant_id = chain.tenant_id;
      delete from audit_unsealed where number = waiting.number;
    end loop;
    if chain.tenant_id is not null then return next chain; end if;
  end $$;

  insert into audit_unsealed (tenant_id, entry_id, written_at, noted_at, digest)
  select e.tenant_id, e.${audited.id}::text, e.at, e.at, ${digestOf(audited, 'e')}
  from ${audited.table} e order by e.at, e.${audited.id};`;
