-- What the platform installs, and what it calls. Protocol state and caches only: business data, including the
-- inbox of events, belongs to the backend.

create table tenant_integration (
  tenant_integration_id text primary key,
  platform_tenant_id text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'UNINSTALLED')),
  secret_encrypted text,
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
  uninstalled_at timestamptz,
  constraint tenant_integration_secret_check check (secret_encrypted is not null or status = 'UNINSTALLED')
);
comment on column tenant_integration.secret_encrypted is 'null: deleted, 7 days after the uninstall';
comment on column tenant_integration.replaced_secret_encrypted is
  'the directly replaced secret; accepted inbound until replaced_accepted_until, and after that for repeating the rotation';
comment on column tenant_integration.handshake is
  'tenant and serviceNumbers of the install call, until the backend has them';
comment on column tenant_integration.revision is 'raised when an install is replaced by another call';
comment on column tenant_integration.lifecycle_count is 'the last n of a workflow lifecycle:<id>:<n>';
comment on column tenant_integration.acknowledged_at is
  'when an install call was first answered 2xx; before that the platform takes the integration for PENDING';
create unique index tenant_integration_one_active on tenant_integration (platform_tenant_id) where status = 'ACTIVE';
create index tenant_integration_by_tenant on tenant_integration (platform_tenant_id, created_at desc);

-- Tells every process, so that none goes on with what is being uninstalled.
create function tell_uninstall() returns trigger language plpgsql as $$
begin
  perform pg_notify('uninstall', new.platform_tenant_id);
  return null;
end $$;
create trigger uninstall_began after update of uninstall_number on tenant_integration
  for each row when (old.uninstall_number is null and new.uninstall_number is not null)
  execute function tell_uninstall();

create table secret_rotation (
  tenant_integration_id text primary key references tenant_integration,
  number integer not null,
  new_secret_encrypted text not null,
  rotated_at timestamptz not null,
  grace_seconds integer not null,
  expires_at timestamptz not null,
  sent boolean not null default false
);
comment on table secret_rotation is
  'a rotation under way: committed to tenant_integration, or taken back at the backend';
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
comment on column nonce.kept_until is 'null: for ever (lifecycle calls)';
create index nonce_by_end on nonce (kept_until) where kept_until is not null;

-- Webhooks that got a 4xx, counted: strangers may call as often as they like, and make one row a minute each way.
create table webhook_refusal (
  platform_tenant_id text not null,
  minute timestamptz not null,
  tenant_integration_id text not null references tenant_integration,
  reason text not null,
  code text not null,
  calls integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_bytes integer,
  last_event_id text,
  last_event_type text,
  last_detail text,
  primary key (platform_tenant_id, minute, tenant_integration_id, reason)
);
comment on column webhook_refusal.last_event_id is 'only if the signature held; nothing else of a body is kept';
create index webhook_refusal_by_minute on webhook_refusal (minute);

create table recurring_run (
  kind text primary key,
  started_at timestamptz not null,
  completed_at timestamptz
);
comment on table recurring_run is 'when each sweep last began, and last came to its end';
