import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table payment_attempt (
      order_id text not null references customer_order,
      attempt integer not null,
      hold_status text not null check (hold_status in ('reserved', 'committed', 'released')),
      expires_at timestamptz not null,
      result_url text,
      cancel_url text,
      shop_id text,
      currency text not null,
      charge_sends integer not null default 0,
      charge_id text unique,
      payment_url text,
      cancel_requested boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (order_id, attempt)
    );
    create unique index payment_attempt_one_hold on payment_attempt (order_id) where hold_status <> 'released';

    create table refund (
      charge_id text primary key,
      order_id text not null references customer_order,
      status text not null check (status in ('pending', 'confirmed')),
      created_at timestamptz not null default now(),
      confirmed_at timestamptz
    );
    create index refund_by_order on refund (order_id);
    create index refund_pending on refund (created_at) where status = 'pending';
  `);
}
