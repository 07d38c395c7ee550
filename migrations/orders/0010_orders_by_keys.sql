-- Orders that a program creates for a payer.
alter table customer_order add column created_by text;
comment on column customer_order.created_by is 'the API key that created it for the payer, as key:<id>; null for the payer''s own';
