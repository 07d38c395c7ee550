import type { Knex } from 'knex';

/** The currency is the order's, fixed when it is created. A million orders are rewritten in about 15 s, locked meanwhile. */
const currency = `
  alter table customer_order add column currency text;
  update customer_order o set currency = coalesce(
    (select a.currency from payment_attempt a where a.order_id = o.order_id order by a.attempt desc limit 1),
    (select t.currency from tenant t where t.tenant_id = o.tenant_id));
  alter table customer_order alter column currency set not null;
  alter table payment_attempt drop column currency;
  alter table customer_order
    drop constraint customer_order_points_status_check,
    drop constraint customer_order_payment_status_check,
    add constraint customer_order_points_status_check check (points_status in (0, 10, 20, 30, 40, 50)),
    add constraint customer_order_payment_status_check check (payment_status in (0, 10, 30, 40, 50, 60, 70));`;

/** What the gateway shows for a charge: when it was read, and the money it received. */
const reads = `
  alter table payment_attempt
    add column read_at timestamptz,
    add column next_read_at timestamptz,
    add column ended_at timestamptz,
    add column received_minor bigint check (received_minor >= 0),
    add column received_currency text,
    add column received_at timestamptz,
    add check ((received_minor is null) = (received_at is null) and (received_minor is null) = (received_currency is null));
  comment on column payment_attempt.next_read_at is
    'when the charge of an ended payment is read once more, for money that comes late; null if never again';
  create index payment_attempt_to_read on payment_attempt (next_read_at) where next_read_at is not null;`;

const refunds = `
  alter table refund add column refund_id text, add column tenant_id text references tenant;
  update refund r set refund_id = charge_id,
    tenant_id = (select o.tenant_id from customer_order o where o.order_id = r.order_id);
  alter table refund
    drop constraint refund_pkey,
    drop constraint refund_status_check,
    alter column refund_id set not null,
    alter column tenant_id set not null,
    alter column charge_id drop not null,
    alter column order_id drop not null,
    add primary key (refund_id),
    add constraint refund_status_check check (status in ('pending', 'confirmed', 'needs_staff')),
    add column kind text not null default 'unaccepted' check (kind in ('unaccepted', 'staff')),
    add column amount_minor bigint check (amount_minor >= 0),
    add column currency text,
    add column reason text,
    add column requested_by text,
    add column request_key text,
    add column request jsonb,
    add column restore_points boolean not null default false,
    add column restock boolean not null default false,
    add column key_number integer not null default 1,
    add column asked_since timestamptz not null default now(),
    add column last_error text,
    add column resolution text check (resolution in ('retry', 'done_elsewhere')),
    add column resolved_by text,
    add column note text,
    add unique (order_id, request_key);
  alter table refund alter column kind drop default;
  create unique index refund_unaccepted on refund (charge_id) where kind = 'unaccepted';
  create index refund_needs_staff on refund (order_id) where status = 'needs_staff';
  comment on column refund.key_number is
    'raised when the gateway rejected a request for good: it may repeat its first response to a key for ever';
  comment on column refund.amount_minor is 'null until the charge of unaccepted money was read';`;

const staff = `
  alter table gateway_event
    add column resolution text check (resolution in ('refund', 'ignore')),
    add column resolved_by text,
    add column note text,
    add column resolved_at timestamptz;
  drop index gateway_event_unmatched;
  create index gateway_event_unmatched on gateway_event (shop_id, received_at desc, event_id desc)
    where status in ('unmatched', 'ignored') and resolution is null;
  alter table order_flag add column expected text not null default '', add column reported text;
  update order_flag set reported = detail;
  alter table order_flag alter column expected drop default, alter column reported set not null, drop column detail;`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [currency, reads, refunds, staff]) await knex.raw(part);
}
