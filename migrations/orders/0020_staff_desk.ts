import type { Knex } from 'knex';

/** The name of whoever ordered, as the session gave it. No default: no rewrite, an exclusive lock of milliseconds. */
const payerNames = `
  alter table customer_order add column payer_name text;
  comment on column customer_order.payer_name is 'as the session named the payer; null for orders from before';`;

/** What staff note about an order for each other. Never changed: who reads it later relies on it. */
const notes = `
  create table order_note (
    note_id uuid primary key,
    order_id text not null references customer_order,
    author text not null,
    author_name text not null,
    body text not null,
    created_at timestamptz not null default now()
  );
  create index order_note_by_order on order_note (order_id, note_id desc);`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [payerNames, notes]) await knex.raw(part);
}
