import type { Knex } from 'knex';

/**
 * Keys with which programs call the frontend API. The trigger tells every process of a revocation, as those of
 * `0050_end_notices` do of a session's end.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    create index api_key_by_tenant on api_key (platform_tenant_id, key_id desc);
    create index api_key_by_integration on api_key (tenant_integration_id);
    comment on column api_key.tenant_integration_id is
      'the key works while this integration is active: an uninstall ends it, and another install does not bring it back';
    comment on column api_key.secret_hash is 'SHA-256 of 32 random bytes, which are stored nowhere';
    comment on column api_key.last_used_at is 'to the minute';

    create function tell_key_end() returns trigger language plpgsql as $$
    begin
      perform pg_notify('session_end', encode(old.secret_hash, 'hex'));
      return null;
    end $$;
    create trigger api_key_revoked after update of revoked_at on api_key
      for each row when (old.revoked_at is null and new.revoked_at is not null) execute function tell_key_end();`);
}
