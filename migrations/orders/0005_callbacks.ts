import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table gateway_event (
      event_id text primary key,
      type text not null,
      charge_id text not null,
      order_no text not null,
      shop_id text not null,
      amount double precision not null,
      currency text not null,
      body text not null,
      order_id text,
      status text not null check (status in ('stored', 'settled', 'refunded', 'unmatched', 'ignored')),
      received_at timestamptz not null default now()
    );
    comment on column gateway_event.status is 'stored: its order still waits for it; unmatched: for staff to look at';
    create index gateway_event_stored on gateway_event (received_at) where status = 'stored';
    create index gateway_event_unmatched on gateway_event (received_at) where status = 'unmatched';
    create index gateway_event_by_order on gateway_event (order_id);
  `);
}
