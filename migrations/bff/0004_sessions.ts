import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
      expires_at timestamptz not null
    );
    create index session_by_tenant on session (platform_tenant_id);
    create index session_by_end on session (expires_at);
    comment on column session.token_hash is 'SHA-256 of the cookie, or of the platform token';
    comment on column session.renewing_until is
      'one process asks the identity service at a time: a refresh token may be good for one use only';
  `);
}
