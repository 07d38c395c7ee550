import type { Knex } from 'knex';

/** Nothing is signed for an uninstalled integration, so its secrets go with it. A few rows: locks of milliseconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenant_integration alter column secret_encrypted drop not null;
    update tenant_integration set secret_encrypted = null, previous_secret_encrypted = null
    where status = 'UNINSTALLED';
    alter table tenant_integration add constraint tenant_integration_secret_check check (
      status = 'UNINSTALLED' or secret_encrypted is not null);
    comment on column tenant_integration.secret_encrypted is 'null: deleted at the uninstall';`);
}
