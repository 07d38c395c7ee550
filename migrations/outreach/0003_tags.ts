import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tag (
      tag_id text primary key,
      tenant_id text not null references tenant,
      service_number_id text not null,
      name text not null,
      source text not null check (source in ('app_manual', 'app_smart')),
      kind text not null check (kind in ('permanent', 'temporary')),
      color text,
      status text not null check (status in ('active', 'expired', 'archived')),
      expires_at timestamptz,
      contact_count integer not null default 0 check (contact_count >= 0),
      created_at timestamptz not null default now(),
      check (kind = 'permanent' or expires_at is not null)
    );
    create unique index tag_name on tag (tenant_id, service_number_id, lower(name)) where status <> 'archived';
    create index tag_expiry on tag (expires_at) where status = 'active' and expires_at is not null;

    create table tag_assignment (
      tenant_id text not null,
      tag_id text not null references tag,
      contact_id text not null,
      assigned_at timestamptz not null default now(),
      assigned_by text,
      source_rule_id text,
      source_rule_version integer,
      source_campaign_id text,
      source_task_id text,
      source_action_index integer,
      source_biz_event_code text,
      source_event_id text,
      primary key (tag_id, contact_id)
    );
    create index tag_assignment_by_contact on tag_assignment (tenant_id, contact_id);
    create index tag_assignment_by_time on tag_assignment (tag_id, assigned_at desc, contact_id desc);
    -- The partial hours at the ends of a period are read row by row; conversion_hour has the hours in between.
    create index tag_assignment_converted on tag_assignment (tenant_id, assigned_at) include (source_campaign_id)
      where source_campaign_id is not null;
  `);
}
