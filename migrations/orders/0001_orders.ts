import type { Knex } from 'knex';

const catalogue = `
  create table tenant (
    tenant_id text primary key,
    name text not null,
    business_type smallint not null check (business_type in (0, 1)),
    shop_id text,
    currency text not null default 'TWD',
    district_id text,
    self_governed boolean not null default false,
    headquarters_tenant_id text,
    earn_attributes text[] not null default '{}',
    updated_at timestamptz not null default now()
  );
  create index tenant_by_headquarters on tenant (headquarters_tenant_id);

  create table goods (
    goods_id text primary key,
    tenant_id text not null references tenant,
    name text not null,
    pricing_type text not null check (pricing_type in ('PAYMENT_OPTIONS', 'RATE_CONVERTED')),
    stock bigint check (stock >= 0),
    held bigint not null default 0 check (held >= 0),
    payment_options jsonb not null,
    updated_at timestamptz not null default now()
  );
  comment on column goods.stock is 'what lies on the shelf; null is unlimited. Free is stock - held; a commit takes from both';

  create table coupon (
    coupon_id text primary key,
    tenant_id text not null references tenant,
    user_id text not null,
    name text not null,
    status text not null default 'available' check (status in ('available', 'reserved', 'used')),
    order_id text,
    check ((status = 'available') = (order_id is null))
  );`;

const orders = `
  create table customer_order (
    order_id text primary key,
    order_no text not null unique,
    tenant_id text not null references tenant,
    user_id text not null,
    title text,
    description text,
    total_minor bigint not null check (total_minor >= 0),
    gross_minor bigint not null check (gross_minor >= 0),
    tenant_points bigint not null check (tenant_points >= 0),
    district_points bigint not null check (district_points >= 0),
    wallet_points bigint not null check (wallet_points >= 0),
    coupon_ids text[] not null,
    earn_limit_infos jsonb not null,
    points_tenant_id text not null references tenant,
    lines jsonb not null,
    carrier_id text,
    carrier_type text not null,
    npoban text,
    buyer_identifier text,
    buyer_name text,
    order_status smallint not null default 0 check (order_status in (0, 10, 20, 30, 40, 50, 60)),
    points_status smallint not null default 0 check (points_status in (0, 10, 20, 30, 40)),
    payment_status smallint not null default 0 check (payment_status in (0, 10, 30, 40, 50, 60)),
    attempt integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  comment on column customer_order.attempt is 'raised whenever the order returns to CREATED; part of every key sent outside';
  create index customer_order_by_payer on customer_order (tenant_id, user_id, created_at desc, order_id desc);
  create index customer_order_by_tenant on customer_order (tenant_id, created_at desc, order_id desc);
  create index customer_order_open on customer_order (updated_at) where order_status in (10, 20);

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

  create table order_flag (
    order_id text not null references customer_order,
    code text not null,
    detail text not null,
    raised_at timestamptz not null default now(),
    resolution text check (resolution in ('complete', 'refund')),
    resolved_by text,
    resolved_at timestamptz,
    primary key (order_id, code)
  );`;

const ledger = `
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
  create index ledger_entry_by_account on ledger_entry (tenant_id, user_id, kind, entry_id);`;

const gateway = `
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
  create index gateway_event_by_order on gateway_event (order_id);

  create table refund (
    charge_id text primary key,
    order_id text not null references customer_order,
    status text not null check (status in ('pending', 'confirmed')),
    created_at timestamptz not null default now(),
    confirmed_at timestamptz
  );
  create index refund_by_order on refund (order_id);
  create index refund_pending on refund (created_at) where status = 'pending';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [catalogue, orders, ledger, gateway]) await knex.raw(part);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table refund, gateway_event, ledger_entry, point_account, order_flag, payment_attempt,
    customer_order, coupon, goods, tenant`);
}
