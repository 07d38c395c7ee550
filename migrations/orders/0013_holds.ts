import type { Knex } from 'knex';

/** Goods that were corrected below what is held keep what is held: those orders may still be paid. Reads all goods once. */
const stock = `
  update goods set stock = held where stock < held;
  alter table goods add constraint goods_stock_covers_held check (stock is null or stock >= held);`;

/** What a payer holds without having paid for it, counted at each pay that holds something. */
const openHolds = `
  create index customer_order_holding on customer_order (tenant_id, user_id)
    where order_status in (10, 20)
      and (tenant_points > 0 or district_points > 0 or wallet_points > 0 or coupon_ids <> '{}' or lines <> '[]');`;

/**
 * The sweep reads what is overdue, not everything that is open. Each index has only the rows of payments in progress.
 * Together they take about 5 s for a million orders, in which orders cannot be written.
 */
const sweep = `
  alter table customer_order add column driven_at timestamptz;
  comment on column customer_order.driven_at is
    'when the sweep last gave the order its turn; the one that has waited longest is next';
  create index customer_order_unknown on customer_order (order_id) where order_status = 10;
  create index payment_attempt_unsettled on payment_attempt (order_id)
    where hold_status = 'reserved' and (charge_id is null or cancel_requested);
  create index payment_attempt_to_expire on payment_attempt (expires_at) where hold_status = 'reserved';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [stock, openHolds, sweep]) await knex.raw(part);
}
