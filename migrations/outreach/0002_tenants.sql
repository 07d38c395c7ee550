-- Tenants, their integrations with the platform and what it is called with, their people and tools.

create table tenant (
  tenant_id text primary key,
  external_tenant_id text not null unique,
  name text not null,
  type text not null,
  status text not null check (status in ('active', 'inactive')),
  created_at timestamptz not null default now(),
  viewers_see_contact_panel boolean not null default false,
  sends_need_approval integer check (sends_need_approval > 0),
  test_contacts jsonb not null default '[]',
  utm jsonb,
  revision bigint not null default nextval('revision')
);
comment on column tenant.tenant_id is 'platformTenantId';
comment on column tenant.viewers_see_contact_panel is
  'whether people who may only look see the embedded panel of a contact';
comment on column tenant.sends_need_approval is
  'a send to more contacts than this waits until another operator approves it; null: none does';
comment on column tenant.test_contacts is
  'whom test sends may reach while sends need approval: [{serviceNumberId, contactId}]';
comment on column tenant.utm is 'parameters utm_… that the links of new campaigns get; null: none';
comment on column tenant.revision is 'of its settings';
create trigger tenant_revision before update of viewers_see_contact_panel, sends_need_approval, test_contacts,
    utm on tenant for each row
  when ((old.viewers_see_contact_panel, old.sends_need_approval, old.test_contacts, old.utm) is distinct from
    (new.viewers_see_contact_panel, new.sends_need_approval, new.test_contacts, new.utm))
  execute function take_revision();

-- Nothing is signed for an uninstalled integration, so its secrets go with it.
create table tenant_integration (
  tenant_integration_id text primary key,
  tenant_id text not null references tenant,
  secret_encrypted text,
  previous_secret_encrypted text,
  webhook_url text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'UNINSTALLED')),
  rotated_at timestamptz,
  installed_at timestamptz not null default now(),
  uninstalled_at timestamptz,
  constraint tenant_integration_secret_check check (status = 'UNINSTALLED' or secret_encrypted is not null)
);
comment on column tenant_integration.secret_encrypted is 'null: deleted at the uninstall';
create unique index tenant_integration_one_active on tenant_integration (tenant_id) where status = 'ACTIVE';

-- How often the platform may be called for an integration. A row of its own: calls lock the integration's.
create table platform_pace (
  tenant_integration_id text primary key references tenant_integration on delete cascade,
  paused_until timestamptz,
  next_call_at timestamptz
) with (fillfactor = 50);
comment on column platform_pace.paused_until is 'the platform asked not to be called before';
comment on column platform_pace.next_call_at is
  'when the first token that nobody has taken is there; one second ago at most, which is what the bucket holds';

-- Calls to the platform that are under way, so that an uninstall can wait for them. Unlogged: they end within
-- seconds, and a row that a crash leaves behind counts no longer than a call may take.
create unlogged table outbound_call (
  call_id uuid primary key,
  tenant_integration_id text not null,
  started_at timestamptz not null
);
create index outbound_call_by_integration on outbound_call (tenant_integration_id);

create table service_number_catalog (
  tenant_id text not null references tenant,
  service_number_id text not null,
  name text not null,
  status text not null check (status in ('active', 'inactive')),
  primary key (tenant_id, service_number_id)
);

-- Every role that somebody had at the last sign-in, the strongest first: it says who administers orders beside the
-- campaigns, or alone.
create table app_user (
  tenant_id text not null references tenant,
  platform_user_id text not null,
  name text not null,
  role text not null,
  last_sign_in_at timestamptz not null,
  roles text[] not null default '{}',
  primary key (tenant_id, platform_user_id)
);
comment on column app_user.roles is 'all roles at the last sign-in';

-- The tokens of the Tool API that are valid, and those that were revoked before their time.
create table tool_token (
  tenant_id text not null references tenant,
  token_id text not null,
  actor text not null,
  tools text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, token_id)
);
comment on column tool_token.actor is 'who does what is done with it: a platformUserId, or service:<name>';
create index tool_token_by_end on tool_token (tenant_id, expires_at);

create table recurring_run (
  kind text primary key,
  started_at timestamptz not null,
  completed_at timestamptz
);
comment on table recurring_run is 'when each sweep and Schedule last began, and last came to its end';

-- Read by every statement that claims what goes out.
create table database_place (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null,
  database_oid oid not null,
  taken_at timestamptz not null default now(),
  taken_by text not null
);
comment on table database_place is
  'where the database was started, and may send: in another cluster, or as another database, nothing goes out until somebody takes it over';
comment on column database_place.system_identifier is 'of the cluster (pg_control_system)';
comment on column database_place.taken_by is 'who did that; the first start needs nobody';
