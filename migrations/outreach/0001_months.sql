-- Tables that grow with events and sends are partitioned by month, so that what is older than its retention is
-- dropped instead of deleted row by row. Each has a partition `<table>_rest` for what has no month of its own,
-- made with the table.
--
-- Of indexes that seem to cost the same, the planner takes the newest, and without statistics many seem to: keys that
-- rows are looked up by come after the indexes that share a column with them. A new month has its indexes in the order
-- of `_rest`.

-- The bounds of a partition: a month of UTC, as a time or as the smallest UUIDv7 of its first millisecond.
create function month_bound(column_type text, month date) returns text language sql stable as $$
  select case column_type
    when 'timestamp with time zone' then to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00'
    else regexp_replace(
      lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0'),
      '^(.{8})(.{4})$', '\1-\2-0000-0000-000000000000') end
$$;

create function partition_column(parent text, out name text, out type text) language sql stable
  set search_path = outreach, pg_temp as $$
  select a.attname, format_type(a.atttypid, null)
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = to_regclass(format('outreach.%I', parent))
$$;

-- A service has no right to create or drop tables: it may add the partition of a month, and drop one that has ended.
-- Temporary tables of its own come last on the path, so that it cannot put one in the place of ours.
-- LIKE copies the indexes of `_rest`: those that the whole table has are attached to them, the others stay alone.
create function add_month(parent text, month date) returns boolean language plpgsql
  security definer set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
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
end $$;

-- What the audit log loses with a month is noted in its chain.
create function drop_month(parent text, month date) returns boolean language plpgsql
  security definer set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
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

-- Statistics of a whole table, which PostgreSQL gathers for each partition alone.
create function analyze_partitioned(parent text) returns void language plpgsql
  security definer set search_path = outreach, pg_temp as $$
begin
  if (partition_column(parent)).name is null then
    raise exception '% is not partitioned', parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('analyze %I', parent);
end $$;
