-- Who sells what: tenants, their goods and stock, and coupons.

-- What staff have read of a tenant, goods or a coupon. Every write of theirs takes another one; holds and sales do not.
create sequence version;

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
  updated_at timestamptz not null default now(),
  refunds_need_approval_above_minor bigint check (refunds_need_approval_above_minor >= 0),
  version bigint not null default nextval('version')
);
comment on column tenant.refunds_need_approval_above_minor is 'in the tenant''s currency; null: nobody else approves';
create index tenant_by_headquarters on tenant (headquarters_tenant_id);
-- One tenant per shop: whose a callback is must be certain.
create unique index tenant_by_shop on tenant (shop_id);

-- Goods that are corrected below what is held keep what is held: those orders may still be paid.
create table goods (
  goods_id text primary key,
  tenant_id text not null references tenant,
  name text not null,
  pricing_type text not null check (pricing_type in ('PAYMENT_OPTIONS', 'RATE_CONVERTED')),
  stock bigint check (stock >= 0),
  held bigint not null default 0 check (held >= 0),
  payment_options jsonb not null,
  updated_at timestamptz not null default now(),
  version bigint not null default nextval('version'),
  constraint goods_stock_covers_held check (stock is null or stock >= held)
);
comment on column goods.stock is
  'what lies on the shelf; null is unlimited. Free is stock - held; a commit takes from both';
create index goods_by_tenant on goods (tenant_id, goods_id);

create table stock_change (
  change_id bigint generated always as identity primary key,
  goods_id text not null references goods,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  delta bigint,
  reason text,
  stock bigint,
  key text,
  unique (goods_id, key)
);
comment on table stock_change is 'what staff did to the stock of goods; sales are orders';
comment on column stock_change.delta is 'null where it was set from or to unlimited';
create index stock_change_by_goods on stock_change (goods_id, change_id desc);

create table coupon (
  coupon_id text primary key,
  tenant_id text not null references tenant,
  user_id text not null,
  name text not null,
  status text not null default 'available' check (status in ('available', 'reserved', 'used')),
  order_id text,
  version bigint not null default nextval('version'),
  check ((status = 'available') = (order_id is null))
);
create index coupon_by_tenant on coupon (tenant_id, coupon_id);
create index coupon_by_status on coupon (tenant_id, status, coupon_id);
create index coupon_by_user on coupon (tenant_id, user_id, status, coupon_id);
