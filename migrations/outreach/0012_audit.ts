import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_log (
      audit_id text primary key,
      tenant_id text not null,
      at timestamptz not null default now(),
      actor text not null,
      action text not null,
      object_type text not null,
      object_id text not null,
      before jsonb,
      after jsonb,
      request_id text
    );
    create index audit_log_by_object on audit_log (tenant_id, object_type, object_id, at);
    create index audit_log_by_time on audit_log (tenant_id, at desc, audit_id desc);
    create index audit_log_by_actor on audit_log (tenant_id, actor, at desc, audit_id desc);
  `);
}
