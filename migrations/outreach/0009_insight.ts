import type { Knex } from 'knex';

/** What the overview, the audit log, the event inbox and a contact's timeline read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A profile keeps what is so now; who followed and left when is kept here. The key finds a contact's.
    create table contact_event (
      tenant_id text not null,
      service_number_id text not null,
      contact_id text not null,
      event_id text not null,
      event_type text not null,
      occurred_at timestamptz not null,
      primary key (tenant_id, service_number_id, contact_id, event_id)
    );
    create index conversation_by_contact on conversation (tenant_id, contact_id);
    create index event_inbox_failed on event_inbox (tenant_id, received_at desc, event_id desc) where status = 'failed';
    create index event_inbox_by_event on event_inbox (tenant_id, event_id);
    create index broadcast_task_unknown on broadcast_task (tenant_id) where status = 'unknown';
    create index audit_log_by_actor on audit_log (tenant_id, actor, at desc, audit_id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index audit_log_by_actor, broadcast_task_unknown, event_inbox_by_event, event_inbox_failed, conversation_by_contact;
    drop table contact_event;
  `);
}
