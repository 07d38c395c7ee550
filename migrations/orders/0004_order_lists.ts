import type { Knex } from 'knex';

/**
 * Staff look for orders by their state, and by any part of number or title. Parts are found by their trigrams where the
 * server has the extension, Chinese ones by their characters: of one or two of them there is no trigram.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index customer_order_by_status on customer_order (tenant_id, order_status, created_at desc, order_id desc);
    create index customer_order_letters on customer_order using gin (regexp_split_to_array(nullif(regexp_replace(
      order_no || chr(10) || coalesce(title, ''), '[[:ascii:]]+', '', 'g'), ''), ''));
    do $$
    declare
      home text;
    begin
      create extension if not exists pg_trgm with schema orders;
      select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_trgm';
      execute format('create index customer_order_search on customer_order
        using gin ((order_no || chr(10) || coalesce(title, '''')) %I.gin_trgm_ops)', home);
    exception when feature_not_supported or undefined_file or insufficient_privilege then
      raise notice 'Orders are searched without an index: %', sqlerrm;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop index if exists customer_order_search; drop index customer_order_letters, customer_order_by_status',
  );
}
