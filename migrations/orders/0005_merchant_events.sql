-- Events out to merchants.

-- Where a tenant receives its events. Without a row it has none, and none are written.
create table webhook (
  tenant_id text primary key references tenant,
  url text not null,
  sealed_secret text not null,
  updated_at timestamptz not null default now()
);
comment on column webhook.sealed_secret is 'encrypted; the context names the tenant';

-- What a removed webhook leaves to do: the removal is one transaction, giving up its deliveries many.
create table webhook_removal (
  tenant_id text primary key references tenant,
  until timestamptz not null
);
comment on table webhook_removal is 'webhooks that were removed, and whose deliveries are still being given up';
comment on column webhook_removal.until is 'deliveries from before are given up; later ones are of another webhook';

create table merchant_event (
  event_id uuid primary key,
  tenant_id text not null references tenant,
  order_id text references customer_order,
  sequence integer not null check (sequence > 0),
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (order_id, sequence)
);
comment on column merchant_event.order_id is 'null for a test event';
comment on column merchant_event.sequence is 'counts the events of an order, which are delivered in this order';
comment on column merchant_event.body is 'as it is sent and signed';

create table delivery (
  delivery_id uuid primary key,
  event_id uuid not null unique references merchant_event,
  tenant_id text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  trying_since timestamptz,
  leased_until timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (status = 'pending' or (next_attempt_at is null and settled_at is not null))
);
comment on column delivery.attempts is 'raised by every claim; an outcome counts only for the claim it belongs to';
comment on column delivery.next_attempt_at is
  'null while the event before it, of the same order, is neither delivered nor given up';
comment on column delivery.trying_since is 'the first attempt, or the first since staff asked for a redelivery';
comment on column delivery.settled_at is
  'when it was first delivered or given up; a redelivery does not hold back the events after it';
create index delivery_due on delivery (tenant_id, next_attempt_at)
  where status = 'pending' and next_attempt_at is not null;
create index delivery_leased on delivery (tenant_id) where leased_until is not null;
create index delivery_open on delivery (status, created_at) where status <> 'delivered';
create index delivery_by_tenant on delivery (tenant_id, delivery_id desc);
-- Deliveries that have ended are deleted after a while, with their events.
create index delivery_ended on delivery ((greatest(settled_at, trying_since))) where status <> 'pending';
