-- What orders from links of campaigns were paid and refunded, as the order service tells it.

create table revenue_entry (
  tenant_id text not null,
  movement text not null,
  campaign_id text not null,
  order_id text not null,
  kind text not null check (kind in ('payment', 'refund')),
  amount_minor bigint not null check ((amount_minor > 0) = (kind = 'payment') and amount_minor <> 0),
  currency text not null,
  at timestamptz not null,
  sub_task_key text not null,
  message_index smallint not null,
  action_index smallint not null,
  primary key (tenant_id, movement)
);
comment on table revenue_entry is
  'what orders from links of campaigns were paid and refunded, as the order service tells it';
comment on column revenue_entry.movement is
  'of the order service''s ledger: an entry that is told twice is stored once';
create index revenue_entry_by_time on revenue_entry (tenant_id, at) include (campaign_id, kind, amount_minor, currency);

create table campaign_revenue (
  tenant_id text not null,
  campaign_id text not null,
  message_index smallint not null,
  action_index smallint not null,
  currency text not null,
  orders integer not null,
  paid_minor bigint not null,
  refunded_minor bigint not null,
  primary key (tenant_id, campaign_id, message_index, action_index, currency)
);
comment on table campaign_revenue is 'the sums of revenue_entry, written in the same statement';

create table revenue_position (
  singleton boolean primary key default true check (singleton),
  position bigint not null default 0,
  compared_at timestamptz not null default now()
);
comment on table revenue_position is
  'up to where the order service''s feed was read, and when the sums were last compared';
insert into revenue_position default values;

create table revenue_difference (
  tenant_id text not null,
  campaign_id text not null,
  currency text not null,
  ours_minor bigint not null,
  theirs_minor bigint not null,
  since timestamptz not null,
  primary key (tenant_id, campaign_id, currency)
);
comment on table revenue_difference is
  'campaigns whose revenue is not what the order service''s ledger says, as of the last comparison';
