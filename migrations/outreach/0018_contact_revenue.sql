-- What orders that name their contact were paid and refunded, be they from a campaign or not.
create table contact_revenue_entry (
  tenant_id text not null,
  movement text not null,
  service_number_id text not null,
  contact_id text not null,
  order_id text not null,
  kind text not null check (kind in ('payment', 'refund')),
  amount_minor bigint not null check ((amount_minor > 0) = (kind = 'payment') and amount_minor <> 0),
  currency text not null,
  at timestamptz not null,
  primary key (tenant_id, movement)
);
comment on table contact_revenue_entry is
  'what orders that name their contact were paid and refunded, as the order service tells it';
comment on column contact_revenue_entry.movement is
  'of the order service''s ledger, and of revenue_entry where the order counts for a campaign';
create index contact_revenue_entry_by_contact on contact_revenue_entry (tenant_id, contact_id, at);
create index contact_revenue_entry_by_order on contact_revenue_entry (tenant_id, order_id);
create index contact_revenue_entry_by_time on contact_revenue_entry (at);
