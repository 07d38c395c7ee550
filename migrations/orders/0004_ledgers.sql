-- Points and cash by double entry, and what the cash of orders from campaigns is. Entries are only added, and
-- those of one movement sum to zero: it is enough that each statement's new entries do, so the checks read no
-- table.

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
create index point_account_by_user on point_account (tenant_id, user_id collate "C");

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
  -- Who granted or adjusted.
  actor text,
  reason text,
  unique (movement, bucket),
  foreign key (tenant_id, user_id, kind) references point_account
);
comment on table ledger_entry is
  'two rows a movement that add up to 0; the sum of a bucket is its balance (granted: negated)';
create index ledger_entry_by_order on ledger_entry (order_id, entry_id);
create index ledger_entry_by_account on ledger_entry (tenant_id, user_id, kind, entry_id);

create function require_balanced_movements() returns trigger language plpgsql as $$
begin
  if exists (select from added group by movement, tenant_id, user_id, kind having sum(amount) <> 0) then
    raise exception 'the entries of a movement do not sum to zero'
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry
  referencing new table as added for each statement execute function require_balanced_movements();

-- The results of comparing balances with entries.
create table ledger_check (
  checked_at timestamptz primary key default clock_timestamp(),
  accounts integer not null,
  drift integer not null,
  details jsonb not null
);
comment on column ledger_check.drift is 'how many accounts have balances that are not the sums of their entries';
comment on column ledger_check.details is 'the first of them, with balances and sums';
-- Nothing was checked: the age of the last check counts from here.
insert into ledger_check (accounts, drift, details) values (0, 0, '[]');

-- In minor units.
create table cash_entry (
  entry_id bigint generated always as identity primary key,
  movement text not null,
  account text not null check (account in ('receivable', 'sales', 'gateway', 'refunds', 'disputed', 'elsewhere')),
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null,
  tenant_id text not null references tenant,
  order_id text,
  at timestamptz not null default now(),
  unique (movement, account)
);
comment on table cash_entry is 'two rows a movement that add up to 0';
comment on column cash_entry.account is
  'receivable: payers owe it; gateway: it holds it; refunds: to be given back; disputed: claimed back by payers; elsewhere: given back without the gateway';
create index cash_entry_by_order on cash_entry (order_id, entry_id);

create function require_balanced_cash() returns trigger language plpgsql as $$
begin
  if exists (select from added group by movement, tenant_id, currency having sum(amount_minor) <> 0) then
    raise exception 'the entries of a movement do not sum to zero'
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
  end if;
  return null;
end $$;
create trigger cash_entry_balanced after insert on cash_entry
  referencing new table as added for each statement execute function require_balanced_cash();

create table order_origin (
  order_id text primary key references customer_order,
  tenant_id text not null references tenant,
  campaign_id text not null,
  sub_task_key text not null,
  message_index smallint not null,
  action_index smallint not null,
  counts_until timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table order_origin is
  'the campaign link that an order came from, as its click token said when it was created';
comment on column order_origin.counts_until is 'what is paid later does not count for the campaign';
create index order_origin_by_campaign on order_origin (tenant_id, campaign_id);

create table attributed_entry (
  movement text primary key,
  order_id text not null references order_origin,
  kind text not null check (kind in ('payment', 'refund')),
  amount_minor bigint not null check ((amount_minor > 0) = (kind = 'payment') and amount_minor <> 0),
  currency text not null,
  at timestamptz not null,
  position bigint unique
);
comment on table attributed_entry is
  'what the cash of orders from campaigns adds to revenue or takes from it, as a feed';
comment on column attributed_entry.movement is 'of cash_entry';
comment on column attributed_entry.position is
  'its place in the feed, given by whoever reads it, so that no entry appears behind one that was read before; null until then';
create index attributed_entry_by_order on attributed_entry (order_id);
create index attributed_entry_unread on attributed_entry (at) where position is null;
create sequence attributed_position;

-- In the transaction of the money, so that no statement that books cash can omit it. Other orders cost one look
-- into an index.
create function note_attributed_cash() returns trigger language plpgsql set search_path = orders as $$
begin
  insert into attributed_entry (movement, order_id, kind, amount_minor, currency, at)
  select e.movement, e.order_id, 'payment', e.amount_minor, e.currency, e.at
  from added e join order_origin o using (order_id)
  where e.movement like 'receipt:%' and e.account = 'gateway' and e.at <= o.counts_until
  union all
  select e.movement, e.order_id, 'refund', -e.amount_minor, e.currency, e.at
  from added e join order_origin o using (order_id)
  where e.movement like 'refund:%' and e.account = 'sales'
    and exists (select from attributed_entry p where p.order_id = e.order_id and p.kind = 'payment');
  return null;
end $$;
create trigger cash_entry_attributed after insert on cash_entry
  referencing new table as added for each statement execute function note_attributed_cash();
