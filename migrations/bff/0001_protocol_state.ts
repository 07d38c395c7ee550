import type { Knex } from 'knex';

/** Protocol state and caches only: business data, and with it the event inbox, is the backend's. */
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

    create table embed_slot (
      tenant_integration_id text not null references tenant_integration,
      slot text not null,
      endpoint_url text not null,
      status text not null check (status in ('pending', 'registered', 'failed')),
      registered_at timestamptz,
      error text,
      changed_at timestamptz not null default now(),
      primary key (tenant_integration_id, slot)
    );

    create table nonce (
      tenant_integration_id text not null,
      nonce uuid not null,
      kept_until timestamptz,
      primary key (tenant_integration_id, nonce)
    );
    create index nonce_by_end on nonce (kept_until) where kept_until is not null;
    comment on column nonce.kept_until is 'null: for ever (lifecycle calls)';

    create table session (
      token_hash bytea primary key,
      kind text not null check (kind in ('cookie', 'bearer')),
      platform_tenant_id text not null,
      user_id text not null,
      name text not null,
      roles text[] not null,
      platform_token_encrypted text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index session_by_tenant on session (platform_tenant_id);
    create index session_by_end on session (expires_at);
    comment on column session.token_hash is 'SHA-256 of the cookie, or of the platform token';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table session, nonce, embed_slot, tenant_mapping, secret_rotation, tenant_integration');
}
