import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

    -- No foreign key: a list of a million contacts would check a million times that its one audience exists. Members are
    -- written and deleted only with their audience's row locked.
    create table audience_member (
      audience_id text not null,
      contact_id text not null,
      primary key (audience_id, contact_id)
    );
  `);
}
