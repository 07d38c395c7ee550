import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table nonce (
      tenant_integration_id text not null,
      nonce uuid not null,
      kept_until timestamptz,
      primary key (tenant_integration_id, nonce)
    );
    create index nonce_by_end on nonce (kept_until) where kept_until is not null;
    comment on column nonce.kept_until is 'null: for ever (lifecycle calls)';
  `);
}
