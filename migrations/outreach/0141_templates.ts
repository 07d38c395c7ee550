import type { Knex } from 'knex';

const templates = `
  create table template (
    template_id text primary key,
    tenant_id text not null references tenant,
    service_number_id text,
    name text not null,
    kind text not null check (kind in ('card', 'campaign')),
    version integer not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_by text not null,
    updated_at timestamptz not null,
    unique (tenant_id, name)
  );
  comment on column template.service_number_id is 'of which it is; null: of all of the tenant';
  comment on column template.version is 'the newest of its versions, which campaigns are made from';
  create index template_by_tenant on template (tenant_id, updated_at desc, template_id desc);

  create table template_version (
    template_id text not null references template on delete cascade,
    version integer not null,
    tenant_id text not null,
    content jsonb not null,
    variables jsonb not null,
    restored_from integer,
    created_by text not null,
    created_at timestamptz not null,
    primary key (template_id, version)
  );
  comment on table template_version is 'never changed: a template gets another version';`;

/** Columns that are null everywhere: nothing is rewritten or scanned. */
const origin = `
  alter table campaign add column template_id text, add column template_version integer;
  comment on column campaign.template_id is 'what it was made from; no reference, since templates can be deleted';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [templates, origin]) await knex.raw(part);
}
