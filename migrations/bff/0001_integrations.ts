import type { Knex } from 'knex';

/** Protocol state and caches only: business data, including the event inbox, belongs to the backend. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tenant_integration (
      tenant_integration_id text primary key,
      platform_tenant_id text not null,
      status text not null check (status in ('PENDING', 'ACTIVE', 'UNINSTALLED')),
      secret_encrypted text not null,
      replaced_secret_encrypted text,
      replaced_accepted_until timestamptz,
      rotated_at timestamptz,
      rotation_number integer,
      webhook_url text not null,
      external_tenant_id text,
      handshake jsonb,
      revision integer not null default 1,
      lifecycle_count integer not null default 0,
      uninstall_number integer,
      uninstall_reason text,
      created_at timestamptz not null default now(),
      installed_at timestamptz,
      acknowledged_at timestamptz,
      uninstalled_at timestamptz
    );
    create unique index tenant_integration_one_active on tenant_integration (platform_tenant_id) where status = 'ACTIVE';
    create index tenant_integration_by_tenant on tenant_integration (platform_tenant_id, created_at desc);
    comment on column tenant_integration.handshake is
      'tenant and serviceNumbers of the install call, until the backend has them';
    comment on column tenant_integration.revision is 'raised when an install is replaced by another call';
    comment on column tenant_integration.acknowledged_at is
      'when an install call was first answered 2xx; before that the platform takes the integration for PENDING';
    comment on column tenant_integration.lifecycle_count is 'the last n of a workflow lifecycle:<id>:<n>';
    comment on column tenant_integration.replaced_secret_encrypted is
      'the directly replaced secret; accepted inbound until replaced_accepted_until, and after that for repeating the rotation';

    create table secret_rotation (
      tenant_integration_id text primary key references tenant_integration,
      number integer not null,
      new_secret_encrypted text not null,
      rotated_at timestamptz not null,
      grace_seconds integer not null,
      expires_at timestamptz not null,
      sent boolean not null default false
    );
    comment on table secret_rotation is 'a rotation under way: committed to tenant_integration, or taken back at the backend';
    comment on column secret_rotation.expires_at is 'after this moment it can only be taken back';

    create table tenant_mapping (
      platform_tenant_id text primary key,
      external_tenant_id text not null,
      tenant_integration_id text not null references tenant_integration
    );
  `);
}
