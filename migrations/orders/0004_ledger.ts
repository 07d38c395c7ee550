import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table point_account (
      tenant_id text not null,
      user_id text not null,
      kind text not null check (kind in ('tenant', 'district', 'wallet')),
      granted bigint not null default 0 check (granted >= 0),
      available bigint not null default 0 check (available >= 0),
      reserved bigint not null default 0 check (reserved >= 0),
      committed bigint not null default 0 check (committed >= 0),
      primary key (tenant_id, user_id, kind),
      check (granted = available + reserved + committed)
    );

    create table ledger_entry (
      entry_id bigint generated always as identity primary key,
      movement text not null,
      bucket text not null check (bucket in ('granted', 'available', 'reserved', 'committed')),
      amount bigint not null,
      tenant_id text not null,
      user_id text not null,
      kind text not null,
      order_id text,
      at timestamptz not null default now(),
      unique (movement, bucket),
      foreign key (tenant_id, user_id, kind) references point_account
    );
    comment on table ledger_entry is 'two rows a movement that add up to 0; the sum of a bucket is its balance (granted: negated)';
    create index ledger_entry_by_order on ledger_entry (order_id, entry_id);
    create index ledger_entry_by_account on ledger_entry (tenant_id, user_id, kind, entry_id);
  `);
}
