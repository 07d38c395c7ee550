-- Orders, every status that they had, and what staff note and decide about them.

-- Status codes are those of domain/orders/states.ts. The currency is fixed when the order is created.
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
  points_status smallint not null default 0 check (points_status in (0, 10, 20, 30, 40, 50)),
  payment_status smallint not null default 0 check (payment_status in (0, 10, 30, 40, 50, 60, 70)),
  attempt integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  currency text not null,
  driven_at timestamptz,
  payer_name text
);
comment on column customer_order.attempt is
  'raised whenever the order returns to CREATED; part of every key sent outside';
comment on column customer_order.driven_at is
  'when the sweep last gave the order its turn; the one that has waited longest is next';
comment on column customer_order.payer_name is 'as the session named the payer; null if it did not';
create index customer_order_by_payer on customer_order (tenant_id, user_id, created_at desc, order_id desc);
create index customer_order_by_tenant on customer_order (tenant_id, created_at desc, order_id desc);
create index customer_order_by_status on customer_order (tenant_id, order_status, created_at desc, order_id desc);
create index customer_order_open on customer_order (updated_at) where order_status in (10, 20);

-- Staff search for any part of number or title. Trigrams find it if the server has the extension. One or two Chinese
-- characters have no trigram, so each non-ASCII character is indexed by itself.
create index customer_order_letters on customer_order using gin (regexp_split_to_array(nullif(regexp_replace(
  order_no || chr(10) || coalesce(title, ''), '[[:ascii:]]+', '', 'g'), ''), ''));
do $$
declare
  home text;
begin
  create extension if not exists pg_trgm with schema orders;
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  execute format('create index customer_order_search on customer_order
    using gin ((order_no || chr(10) || coalesce(title, '''')) %I.gin_trgm_ops)', home);
exception when feature_not_supported or undefined_file or insufficient_privilege then
  raise notice 'Orders are searched without an index: %', sqlerrm;
end $$;

-- What a payer holds without having paid for it, counted at each pay that holds something.
create index customer_order_holding on customer_order (tenant_id, user_id)
  where order_status in (10, 20)
    and (tenant_points > 0 or district_points > 0 or wallet_points > 0 or coupon_ids <> '{}' or lines <> '[]');
create index customer_order_unknown on customer_order (order_id) where order_status = 10;
-- An order's amount never changes.
create index customer_order_by_amount on customer_order (tenant_id, total_minor, order_id);

-- Every status an order has had. Written by a trigger, so that no statement that changes an order can omit it.
create table order_transition (
  transition_id bigint generated always as identity primary key,
  order_id text not null references customer_order,
  attempt integer not null,
  order_status smallint not null,
  points_status smallint not null,
  payment_status smallint not null,
  at timestamptz not null default clock_timestamp()
);
create index order_transition_by_order on order_transition (order_id, transition_id);

create function note_order_transition() returns trigger language plpgsql as $$
begin
  insert into orders.order_transition (order_id, attempt, order_status, points_status, payment_status)
    values (new.order_id, new.attempt, new.order_status, new.points_status, new.payment_status);
  return null;
end $$;
create trigger order_created after insert on customer_order
  for each row execute function note_order_transition();
create trigger order_moved after update of order_status, points_status, payment_status on customer_order
  for each row when ((old.order_status, old.points_status, old.payment_status)
    is distinct from (new.order_status, new.points_status, new.payment_status))
  execute function note_order_transition();

create table order_flag (
  order_id text not null references customer_order,
  code text not null,
  raised_at timestamptz not null default now(),
  resolution text check (resolution in ('complete', 'refund')),
  resolved_by text,
  resolved_at timestamptz,
  expected text not null,
  reported text not null,
  primary key (order_id, code)
);
create index order_flag_open on order_flag (order_id) where resolved_at is null;

-- The key is the payer's; the hash is of the request's canonical JSON.
create table order_key (
  tenant_id text not null,
  user_id text not null,
  key text not null,
  request_hash text not null,
  order_id text not null references customer_order,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, key)
);
create index order_key_by_age on order_key (created_at);

-- What staff note about an order for each other. Never changed: who reads it later relies on it.
create table order_note (
  note_id uuid primary key,
  order_id text not null references customer_order,
  author text not null,
  author_name text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index order_note_by_order on order_note (order_id, note_id desc);

-- What an invoice provider issued for an order: the present invoice, whose voiding makes room for another one.
create table order_invoice (
  order_id text primary key references customer_order,
  number text not null check (char_length(number) between 1 and 64),
  issued_at timestamptz not null,
  voided_at timestamptz,
  check (voided_at >= issued_at)
);

create table recurring_run (
  kind text primary key,
  started_at timestamptz not null,
  completed_at timestamptz
);
comment on table recurring_run is 'when each sweep and Schedule last began, and last came to its end';

-- Read by every statement that claims what goes out.
create table database_place (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null,
  database_oid oid not null,
  taken_at timestamptz not null default now(),
  taken_by text not null
);
comment on table database_place is
  'where the database was started, and may send: in another cluster, or as another database, nothing goes out until somebody takes it over';
comment on column database_place.system_identifier is 'of the cluster (pg_control_system)';
comment on column database_place.taken_by is 'who did that; the first start needs nobody';
