import type { Knex } from 'knex';

const origins = `
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
  comment on table order_origin is 'the campaign link that an order came from, as its click token said when it was created';
  comment on column order_origin.counts_until is 'what is paid later does not count for the campaign';
  create index order_origin_by_campaign on order_origin (tenant_id, campaign_id);`;

const feed = `
  create table attributed_entry (
    movement text primary key,
    order_id text not null references order_origin,
    kind text not null check (kind in ('payment', 'refund')),
    amount_minor bigint not null check ((amount_minor > 0) = (kind = 'payment') and amount_minor <> 0),
    currency text not null,
    at timestamptz not null,
    position bigint unique
  );
  comment on table attributed_entry is 'what the cash of orders from campaigns adds to revenue or takes from it, as a feed';
  comment on column attributed_entry.movement is 'of cash_entry';
  comment on column attributed_entry.position is
    'its place in the feed, given by whoever reads it, so that no entry appears behind one that was read before; null until then';
  create index attributed_entry_by_order on attributed_entry (order_id);
  create index attributed_entry_unread on attributed_entry (at) where position is null;
  create sequence attributed_position;`;

/**
 * Written by a trigger, in the transaction of the money, so that no statement that books cash can omit it. Other orders cost
 * one look into an index.
 */
const trigger = `
  create function note_attributed_cash() returns trigger language plpgsql set search_path from current as $$
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
    referencing new table as added for each statement execute function note_attributed_cash();`;

/** New tables, and a trigger that is created without waiting for anything but writes in progress. */
export async function up(knex: Knex): Promise<void> {
  for (const part of [origins, feed, trigger]) await knex.raw(part);
}
