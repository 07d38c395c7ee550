-- The history of a stock explains its figure: what orders sold and what was put back is in it, too.
alter table stock_change alter column actor drop not null;
alter table stock_change add column order_id text references customer_order;
alter table stock_change add constraint stock_change_has_a_cause check (actor is not null or order_id is not null);
comment on table stock_change is 'what changed a stock that is limited: staff, or an order that was paid or refunded';
comment on column stock_change.actor is 'null for what an order changed';
