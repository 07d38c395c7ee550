import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tenant (
      tenant_id text primary key,
      external_tenant_id text not null unique,
      name text not null,
      type text not null,
      status text not null check (status in ('active', 'inactive')),
      created_at timestamptz not null default now()
    );
    comment on column tenant.tenant_id is 'platformTenantId';

    create table tenant_integration (
      tenant_integration_id text primary key,
      tenant_id text not null references tenant,
      secret_encrypted text not null,
      previous_secret_encrypted text,
      webhook_url text not null,
      status text not null check (status in ('PENDING', 'ACTIVE', 'UNINSTALLED')),
      rotated_at timestamptz,
      installed_at timestamptz not null default now(),
      uninstalled_at timestamptz
    );
    create unique index tenant_integration_one_active on tenant_integration (tenant_id) where status = 'ACTIVE';

    create table service_number_catalog (
      tenant_id text not null references tenant,
      service_number_id text not null,
      name text not null,
      status text not null check (status in ('active', 'inactive')),
      primary key (tenant_id, service_number_id)
    );

    create table app_user (
      tenant_id text not null references tenant,
      platform_user_id text not null,
      name text not null,
      role text not null,
      last_sign_in_at timestamptz not null,
      primary key (tenant_id, platform_user_id)
    );
  `);
}
