import type { Knex } from 'knex';

/** Our charges compared with the payment gateway's, by tenant and day (UTC). */
const days = `
  create table reconciliation_day (
    tenant_id text not null references tenant,
    date date not null,
    status text not null check (status in ('running', 'done', 'failed')),
    charges integer not null default 0,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    compared_at timestamptz,
    failure text,
    primary key (tenant_id, date),
    check ((status = 'running') = (finished_at is null))
  );
  comment on column reconciliation_day.charges is 'how many paid charges of the gateway were compared';
  comment on column reconciliation_day.compared_at is 'when it was last compared completely, whatever came after';
  create index reconciliation_day_compared on reconciliation_day (tenant_id, compared_at);

  create table reconciliation_item (
    tenant_id text not null,
    date date not null,
    charge_id text not null,
    kind text not null check (kind in ('paid_there_only', 'paid_here_only', 'amount_differs', 'unknown_order')),
    order_id text,
    ours_minor bigint,
    theirs_minor bigint,
    compared_at timestamptz not null,
    primary key (tenant_id, date, charge_id),
    foreign key (tenant_id, date) references reconciliation_day
  );
  comment on column reconciliation_item.order_id is 'null if the order is unknown or another tenant''s';
  create index reconciliation_item_by_date on reconciliation_item (date);

  create table reconciliation_charge (
    tenant_id text not null,
    date date not null,
    charge_id text not null,
    primary key (tenant_id, date, charge_id),
    foreign key (tenant_id, date) references reconciliation_day
  );
  comment on table reconciliation_charge is 'the paid charges that the gateway has listed so far; empty once a day is compared';`;

/** Reads a few hundred MB of a million attempts, refunds and callbacks each: about 2 s, in which they cannot be written. */
const indexes = `
  create index payment_attempt_accepted on payment_attempt (shop_id, received_at, charge_id)
    where hold_status = 'committed' and received_at is not null;
  create index refund_by_charge on refund (charge_id);
  create index gateway_event_by_charge on gateway_event (charge_id);`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [days, indexes]) await knex.raw(part);
}
