import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table embed_slot (
      tenant_integration_id text not null references tenant_integration,
      slot text not null,
      endpoint_url text not null,
      status text not null check (status in ('pending', 'registered', 'failed')),
      registered_at timestamptz,
      error text,
      changed_at timestamptz not null default now(),
      primary key (tenant_integration_id, slot)
    );
  `);
}
