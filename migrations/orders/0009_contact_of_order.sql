-- The contact that an order is for, which the shop may name, and what the cash of such orders adds to the feed, be they from
-- a campaign or not. Changes of the catalogue alone, whatever the sizes of the tables.
alter table customer_order
  add column contact_service_number_id text,
  add column contact_id text,
  add constraint customer_order_names_contact_whole
    check ((contact_id is null) = (contact_service_number_id is null)) not valid;
comment on column customer_order.contact_id is 'the contact of the tenant that the order is for, if the shop said so';

alter table attributed_entry
  drop constraint attributed_entry_order_id_fkey,
  add constraint attributed_entry_order_id_fkey foreign key (order_id) references customer_order not valid,
  add column counts boolean not null default true;
comment on table attributed_entry is
  'what the cash of orders from campaigns, or of a named contact, adds to revenue or takes from it, as a feed';
comment on column attributed_entry.counts is
  'whether it counts for the campaign of the order''s origin: without one, or after its window, it is its contact''s alone';

-- In the transaction of the money, so that no statement that books cash can omit it. Other orders cost one look
-- into two indexes.
create or replace function note_attributed_cash() returns trigger language plpgsql set search_path = orders as $$
begin
  insert into attributed_entry (movement, order_id, kind, amount_minor, currency, at, counts)
  select e.movement, e.order_id, 'payment', e.amount_minor, e.currency, e.at, coalesce(e.at <= o.counts_until, false)
  from added e join customer_order c using (order_id) left join order_origin o using (order_id)
  where e.movement like 'receipt:%' and e.account = 'gateway'
    and (e.at <= o.counts_until or c.contact_id is not null)
  union all
  select e.movement, e.order_id, 'refund', -e.amount_minor, e.currency, e.at, p.counts
  from added e cross join lateral (
    select bool_or(p.counts) as counts from attributed_entry p
    where p.order_id = e.order_id and p.kind = 'payment') p
  where e.movement like 'refund:%' and e.account = 'sales' and p.counts is not null;
  return null;
end $$;
