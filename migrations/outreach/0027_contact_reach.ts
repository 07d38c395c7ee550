import type { Knex } from 'knex';

/** Whether contacts can be reached stands in the index that whole audiences are merged with. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table contact_profile drop constraint contact_profile_pkey,
      add primary key (tenant_id, service_number_id, contact_id) include (follow_state, unsubscribed)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table contact_profile drop constraint contact_profile_pkey,
      add primary key (tenant_id, service_number_id, contact_id)`);
}
