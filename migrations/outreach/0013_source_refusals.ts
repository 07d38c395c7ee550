import type { Knex } from 'knex';

/** What the platform refused about an entry source, so that an operator sees it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table entry_source
      add column error_message text,
      add column error_call text check (error_call in ('update', 'end')),
      add column error_at timestamptz;
    update entry_source set error_message = error_code, error_at = coalesce(ended_at, created_at),
        error_call = case when ended_at is null then 'update' else 'end' end
      where error_code is not null;
    create index entry_source_refused on entry_source (tenant_id, error_at) where error_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index entry_source_refused;
    alter table entry_source drop column error_message, drop column error_call, drop column error_at;
  `);
}
