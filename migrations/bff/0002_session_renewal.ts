import type { Knex } from 'knex';

/** What a cookie session needs to outlive the ID token that it began with. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table session
      add column platform_token_expires_at timestamptz,
      add column refresh_token_encrypted text,
      add column renewing_until timestamptz;
    comment on column session.renewing_until is
      'one process asks the identity service at a time: a refresh token may be good for one use only';
    delete from tenant_mapping m using tenant_integration i
     where i.tenant_integration_id = m.tenant_integration_id and i.status = 'UNINSTALLED';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table session
      drop column platform_token_expires_at, drop column refresh_token_encrypted, drop column renewing_until`);
}
