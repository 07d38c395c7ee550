import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    );
  `);
}
