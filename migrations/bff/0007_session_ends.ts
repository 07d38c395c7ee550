import type { Knex } from 'knex';

/** Sessions live for 12 hours, so there are few of them; adding the id rewrites the table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table session
      add column session_id uuid not null default gen_random_uuid(),
      add column sid text,
      add column user_agent text,
      add column ended_at timestamptz;
    create unique index session_by_id on session (session_id);
    create index session_by_user on session (user_id, platform_tenant_id, session_id);
    create index session_by_sid on session (sid) where sid is not null;
    drop index session_by_tenant;
    create index session_by_tenant on session (platform_tenant_id, session_id);
    comment on column session.session_id is 'what people see; it gives no access';
    comment on column session.sid is 'the session of the identity service that the ID token named';
    comment on column session.ended_at is
      'a platform token stays, so that nobody is signed in by it again; a browser is still sent to the identity service';

    create table logout_token (
      token_hash bytea primary key,
      kept_until timestamptz not null
    );
    create index logout_token_by_end on logout_token (kept_until);
    comment on table logout_token is 'logout tokens of the identity service that were used: each is good for once';
  `);
}
