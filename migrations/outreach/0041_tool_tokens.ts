import type { Knex } from 'knex';

/** The tokens of the Tool API that are valid, and those that were revoked before their time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    create index tool_token_by_end on tool_token (tenant_id, expires_at);
    comment on column tool_token.actor is 'who does what is done with it: a platformUserId, or service:<name>';
  `);
}
