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
    create index tag_assignment_by_campaign on tag_assignment (source_campaign_id) where source_campaign_id is not null;

    create table audience (
      audience_id text primary key,
      tenant_id text not null references tenant,
      service_number_id text not null,
      name text not null,
      type text not null check (type in ('contacts', 'app_tags')),
      app_tag_ids text[] not null default '{}',
      tag_operator text check (tag_operator in ('AND', 'OR')),
      exclude_tag_ids text[] not null default '{}',
      member_count integer not null default 0,
      created_by text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index audience_by_tenant on audience (tenant_id, created_at desc, audience_id desc);

    create table audience_member (
      audience_id text not null references audience on delete cascade,
      contact_id text not null,
      primary key (audience_id, contact_id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audience_member, audience, tag_assignment, tag');
}
