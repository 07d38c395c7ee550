import type { Knex } from 'knex';

/**
 * Events that are not processed, by kind: the summary counts them in an index, and a kind's list begins where it stands
 * there. A kind is what a stored event waits for, without the id, or why one failed, without ids; an entry of an index
 * has room for 400 characters of it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table event_inbox add column kind text generated always as (case status
      when 'stored' then split_part(waiting_for, ':', 1)
      when 'failed' then left(regexp_replace(error, '^(There was no \\w+):.*( within [^:]*)$', '\\1\\2'), 400) end) stored;
    create index event_inbox_unprocessed on event_inbox (tenant_id, status, event_type, kind, received_at desc, event_id desc)
      where status in ('stored', 'failed');
    create index event_inbox_by_type on event_inbox (tenant_id, event_type, received_at desc, event_id desc)
      where status = 'processed';
    create index event_inbox_stored on event_inbox (tenant_id, (waiting_for is null), received_at desc, event_id desc)
      where status = 'stored';
    -- What it found, event_inbox_fair finds as well.
    drop index event_inbox_open;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index event_inbox_open on event_inbox (partition, next_attempt_at) where status = 'stored';
    drop index event_inbox_stored, event_inbox_by_type, event_inbox_unprocessed;
    alter table event_inbox drop column kind;
  `);
}
