import type { Knex } from 'knex';

/**
 * One tenant per shop: fails, and changes nothing, while two tenants name the same one, because only their owners can
 * say whose it is. Tables of the catalogue are small; `point_account` is locked for about a second per million rows.
 */
const lists = `
  create unique index tenant_by_shop on tenant (shop_id);
  create index goods_by_tenant on goods (tenant_id, goods_id);
  create index coupon_by_tenant on coupon (tenant_id, coupon_id);
  create index coupon_by_status on coupon (tenant_id, status, coupon_id);
  create index coupon_by_user on coupon (tenant_id, user_id, status, coupon_id);
  create index point_account_by_user on point_account (tenant_id, user_id collate "C");`;

const stock = `
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
  create index stock_change_by_goods on stock_change (goods_id, change_id desc);`;

/** Who granted or adjusted. Adding the columns rewrites nothing. */
const ledger = `
  alter table ledger_entry add column actor text, add column reason text;`;

/** The key is the payer's; the hash is of the request's canonical JSON. */
const keys = `
  create table order_key (
    tenant_id text not null,
    user_id text not null,
    key text not null,
    request_hash text not null,
    order_id text not null references customer_order,
    created_at timestamptz not null default now(),
    primary key (tenant_id, user_id, key)
  );
  create index order_key_by_age on order_key (created_at);`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [lists, stock, ledger, keys]) await knex.raw(part);
}
