import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- brief and drafts are text, as payloads of events are: JSON that is kept to the letter.
    create table copywriting (
      copywriting_id text primary key,
      tenant_id text not null references tenant,
      requested_by text not null,
      brief text not null,
      status text not null default 'pending' check (status in ('pending', 'written', 'failed')),
      drafts text,
      failure text check (failure in ('refused', 'misconfigured', 'failed')),
      error text,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      check ((status = 'written') = (drafts is not null))
    );
    create index copywriting_by_tenant on copywriting (tenant_id, created_at desc)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table copywriting');
}
