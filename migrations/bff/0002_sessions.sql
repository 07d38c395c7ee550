-- Who may call: people with a session, and programs with a key. Triggers tell every process when one ends, so that no
-- statement that ends it can forget to say so. Whoever expires is found without being told.

create table session (
  token_hash bytea primary key,
  kind text not null check (kind in ('cookie', 'bearer')),
  platform_tenant_id text not null,
  user_id text not null,
  name text not null,
  roles text[] not null,
  platform_token_encrypted text,
  platform_token_expires_at timestamptz,
  refresh_token_encrypted text,
  renewing_until timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  session_id uuid not null default gen_random_uuid(),
  sid text,
  user_agent text,
  ended_at timestamptz
);
comment on column session.token_hash is 'SHA-256 of the cookie, or of the platform token';
comment on column session.renewing_until is
  'one process asks the identity service at a time: a refresh token may be good for one use only';
comment on column session.session_id is 'what people see; it gives no access';
comment on column session.sid is 'the session of the identity service that the ID token named';
comment on column session.ended_at is
  'a platform token stays, so that nobody is signed in by it again; a browser is still sent to the identity service';
create index session_by_end on session (expires_at);
create unique index session_by_id on session (session_id);
create index session_by_user on session (user_id, platform_tenant_id, session_id);
create index session_by_sid on session (sid) where sid is not null;
create index session_by_tenant on session (platform_tenant_id, session_id);

create function tell_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_end', encode(old.token_hash, 'hex'));
  return null;
end $$;
create trigger session_ended after update of ended_at on session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_session_end();
create trigger session_deleted after delete on session
  for each row when (old.ended_at is null and old.expires_at > now()) execute function tell_session_end();

create table logout_token (
  token_hash bytea primary key,
  kept_until timestamptz not null
);
comment on table logout_token is 'logout tokens of the identity service that were used: each is good for once';
create index logout_token_by_end on logout_token (kept_until);

-- Keys with which programs call the frontend API.
create table api_key (
  key_id uuid primary key,
  tenant_integration_id text not null references tenant_integration,
  platform_tenant_id text not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_by text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  check ((revoked_at is null) = (revoked_by is null))
);
comment on column api_key.tenant_integration_id is
  'the key works while this integration is active: an uninstall ends it, and another install does not bring it back';
comment on column api_key.secret_hash is 'SHA-256 of 32 random bytes, which are stored nowhere';
comment on column api_key.last_used_at is 'to the minute';
create index api_key_by_tenant on api_key (platform_tenant_id, key_id desc);
create index api_key_by_integration on api_key (tenant_integration_id);

create function tell_key_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_end', encode(old.secret_hash, 'hex'));
  return null;
end $$;
create trigger api_key_revoked after update of revoked_at on api_key
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function tell_key_end();
