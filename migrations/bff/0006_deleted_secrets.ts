import type { Knex } from 'knex';

/** An uninstalled integration loses its secrets after a while. A few rows: locks of milliseconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenant_integration alter column secret_encrypted drop not null,
      add constraint tenant_integration_secret_check check (secret_encrypted is not null or status = 'UNINSTALLED');
    comment on column tenant_integration.secret_encrypted is 'null: deleted, 7 days after the uninstall';`);
}
