import type { Knex } from 'knex';

/** Every write of the administration: who did what to what, with what was there before and after. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entry (
      entry_id uuid primary key,
      tenant_id text not null,
      at timestamptz not null default clock_timestamp(),
      actor text not null,
      action text not null,
      subject_type text not null,
      subject_id text not null,
      before jsonb,
      after jsonb
    );
    create index audit_entry_by_tenant on audit_entry (tenant_id, entry_id desc);
    create index audit_entry_by_actor on audit_entry (tenant_id, actor, entry_id desc);
  `);
}
