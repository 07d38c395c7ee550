import type { Knex } from 'knex';

/** Null defaults: no rewrite, an exclusive lock of milliseconds. */
const limit = `
  alter table tenant add column refunds_need_approval_above_minor bigint
    check (refunds_need_approval_above_minor >= 0);
  comment on column tenant.refunds_need_approval_above_minor is 'in the tenant''s currency; null: nobody else approves';
  alter table refund add column approved_by text;`;

/** Refunds that staff asked for and somebody else approves, or not. */
const approvals = `
  create table refund_approval (
    approval_id text primary key,
    tenant_id text not null references tenant,
    kind text not null check (kind in ('order_refund', 'flag_refund', 'callback_refund')),
    order_id text references customer_order,
    event_id text references gateway_event,
    amount_minor bigint not null check (amount_minor > 0),
    currency text not null,
    reason text,
    restore_points boolean not null default false,
    restock boolean not null default false,
    request jsonb,
    request_key text,
    status text not null default 'waiting'
      check (status in ('waiting', 'approved', 'rejected', 'withdrawn', 'lapsed')),
    requested_by text not null,
    requested_by_name text not null,
    requested_at timestamptz not null default clock_timestamp(),
    decided_by text,
    decided_by_name text,
    decided_at timestamptz,
    decision_reason text,
    check ((kind = 'callback_refund') = (order_id is null)),
    check ((kind = 'callback_refund') = (event_id is not null)),
    check ((kind = 'order_refund') = (request_key is not null)),
    check (decided_by is distinct from requested_by or status = 'withdrawn')
  );
  create index refund_approval_by_order on refund_approval (order_id, requested_at);
  create unique index refund_approval_by_key on refund_approval (order_id, request_key);
  create index refund_approval_waiting on refund_approval (order_id) where status = 'waiting';
  create unique index refund_approval_of_flags on refund_approval (order_id)
    where status = 'waiting' and kind = 'flag_refund';
  create unique index refund_approval_of_callback on refund_approval (event_id) where status = 'waiting';
  comment on column refund_approval.request is 'what was asked for with the key';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [limit, approvals]) await knex.raw(part);
}
