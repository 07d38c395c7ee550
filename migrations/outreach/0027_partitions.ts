import type { Knex } from 'knex';

/** A table that is partitioned by month. */
interface Partitioned {
  table: string;
  /** A time, or an id whose order is that of its time (UUIDv7). */
  column: string;
  /** A key that includes the column is one of the whole table; any other is one of each partition alone. */
  key: string;
  whole: boolean;
  references: string[];
}

const partitioned: Partitioned[] = [
  {
    table: 'event_inbox',
    column: 'received_at',
    key: 'tenant_integration_id, event_id',
    whole: false,
    references: ['tenant_id', 'tenant_integration_id'],
  },
  {
    table: 'click_attribution',
    column: 'clicked_at',
    key: 'tenant_id, task_id, contact_id, notice_id, action_index, campaign_id',
    whole: false,
    references: ['tenant_id', 'campaign_id'],
  },
  {
    table: 'conversation',
    column: 'opened_at',
    key: 'tenant_id, session_id',
    whole: false,
    references: ['tenant_id', 'campaign_id'],
  },
  {
    table: 'contact_event',
    column: 'occurred_at',
    key: 'tenant_id, service_number_id, contact_id, event_id, occurred_at',
    whole: true,
    references: [],
  },
  {
    table: 'dispatch_recipient',
    column: 'dispatch_id',
    key: 'dispatch_id, contact_id',
    whole: true,
    references: [],
  },
  {
    table: 'audience_drift',
    column: 'dispatch_id',
    key: 'dispatch_id, change, contact_id',
    whole: true,
    references: [],
  },
  { table: 'audit_log', column: 'at', key: 'audit_id, at', whole: true, references: [] },
];

/**
 * The bounds of a partition: a month of UTC, as a time or as the smallest UUIDv7 of its first millisecond.
 * LIKE copies the indexes of \`_rest\`: those that the whole table has are attached to them, the others stay alone.
 */
const months = `
  create function month_bound(column_type text, month date) returns text language sql stable as $$
    select case column_type
      when 'timestamp with time zone' then to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00'
      else regexp_replace(
        lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0'),
        '^(.{8})(.{4})$', '\\1-\\2-0000-0000-000000000000') end
  $$;

  create function partition_column(parent text, out name text, out type text) language sql stable
    set search_path = outreach, pg_temp as $$
    select a.attname, format_type(a.atttypid, null) from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = to_regclass(format('outreach.%I', parent))
  $$;

  -- A service has no right to create or drop tables: it may add the partition of a month, and drop one that has ended.
  -- Temporary tables of its own come last on the path, so that it cannot put one in the place of ours.
  create function add_month(parent text, month date) returns boolean language plpgsql security definer
    set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
  declare
    leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
    rest text := parent || '_rest';
    key record := partition_column(parent);
    first text := month_bound(key.type, month);
    next text := month_bound(key.type, (month + interval '1 month')::date);
    occupied boolean;
  begin
    if key.name is null or month <> date_trunc('month', month)::date then
      raise exception 'no partition of % for %', parent, month using errcode = 'invalid_parameter_value';
    end if;
    if to_regclass(format('%I', leaf)) is not null then return false; end if;
    execute format('select exists (select from %I where %I >= %L and %I < %L)', rest, key.name, first, key.name, next)
      into occupied;
    if occupied then return false; end if;
    execute format('create table %I (like %I including all)', leaf, rest);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, leaf, first, next);
    return true;
  end $$;

  create function drop_month(parent text, month date) returns boolean language plpgsql security definer
    set search_path = outreach, pg_temp set lock_timeout = '2s' as $$
  declare
    leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  begin
    if (partition_column(parent)).name is null or month + interval '1 month' > (now() at time zone 'UTC') then
      raise exception 'no ended partition of % for %', parent, month using errcode = 'invalid_parameter_value';
    end if;
    if to_regclass(format('%I', leaf)) is null then return false; end if;
    execute format('drop table %I', leaf);
    return true;
  end $$;

  -- Statistics of a whole table, which PostgreSQL gathers for each partition alone.
  create function analyze_partitioned(parent text) returns void language plpgsql security definer
    set search_path = outreach, pg_temp as $$
  begin
    if (partition_column(parent)).name is null then
      raise exception '% is not partitioned', parent using errcode = 'invalid_parameter_value';
    end if;
    execute format('analyze %I', parent);
  end $$;`;

/** The table's own indexes keep their names; those of what it was get another, and become their first partition. */
const moveIndexes = (table: string) => `
  do $$ declare index record; begin
    for index in select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = '${table}_rest'::regclass and not i.indisunique order by c.relname
    loop
      execute format('alter index %I rename to %I', index.name, index.name || '_rest');
      execute replace(index.definition, '.${table}_rest ', '.${table} ');
    end loop;
  end $$;`;

/** All rows that exist become the partition of what has none of its own: nothing is copied. */
const partition = ({ table, column, key, whole, references }: Partitioned) => `
  alter table ${table} rename to ${table}_rest;
  alter table ${table}_rest drop constraint ${table}_pkey;
  ${references.map((name) => `alter table ${table}_rest rename constraint ${table}_${name}_fkey to ${table}_rest_${name}_fkey;`).join('\n')}
  create table ${table} (like ${table}_rest including defaults including generated including constraints
    ${whole ? `, primary key (${key})` : ''}) partition by range (${column});
  alter table ${table}_rest add primary key (${key});
  ${references.map((name) => `alter table ${table} add foreign key (${name}) references ${name.replace(/_id$/, '')};`).join('\n')}
  ${moveIndexes(table)}
  alter table ${table} attach partition ${table}_rest default;
  comment on table ${table} is 'partitioned by month${whole ? '' : `; each partition has the primary key (${key}), and who inserts looks for it in the others`}';
  select add_month('${table}', (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
  from generate_series(0, 1) as n;`;

/** Statement-level triggers belong to the whole table; dropping a partition leaves what they have counted as it is. */
const triggers = [
  'click_attribution_added after insert on click_attribution referencing new table as added for each statement execute function roll_up_clicks()',
  'click_attribution_counted after insert on click_attribution referencing new table as added for each statement execute function roll_up_campaign_clicks()',
  'click_attribution_insert_by_hour after insert on click_attribution referencing new table as added for each statement execute function roll_up_click_hour()',
  'click_attribution_update_by_hour after update on click_attribution referencing old table as gone new table as added for each statement execute function roll_up_click_hour()',
  'conversation_insert_by_hour after insert on conversation referencing new table as added for each statement execute function roll_up_conversation_hour()',
  'conversation_update_by_hour after update on conversation referencing old table as gone new table as added for each statement execute function roll_up_conversation_hour()',
  'conversation_delete_by_hour after delete on conversation referencing old table as gone for each statement execute function roll_up_conversation_hour()',
].map((definition) => ({ name: definition.split(' ')[0], table: / on (\w+)/.exec(definition)?.[1], definition }));

const retention = `
  alter table dispatch add column recipients_deleted_at timestamptz;
  comment on column dispatch.recipients_deleted_at is 'when their retention had passed; nobody can be retried or looked up any more';`;

/**
 * Tables that grow with events and sends are partitioned by month, so that what is older than its retention is dropped
 * instead of deleted row by row. Each table is locked for as long as its new primary key takes, about 2 s for a million
 * rows, where the key changes, and for milliseconds elsewhere.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(months);
  for (const { name, table } of triggers) await knex.raw(`drop trigger ${name} on ${table}`);
  for (const one of partitioned) await knex.raw(partition(one));
  for (const { definition } of triggers) await knex.raw(`create trigger ${definition}`);
  await knex.raw(retention);
}
