-- Where the comparison of revenue with the order service's ledger is. Each change is of the catalogue alone, whatever the
-- sizes of the tables.
alter table revenue_position
  add column compared_through bigint not null default 0,
  add column comparing jsonb,
  add column compared_all_at timestamptz;
comment on column revenue_position.compared_through is
  'the last entry of the order service''s ledger of cash up to which campaigns were compared';
comment on column revenue_position.comparing is
  'where a comparison that is under way goes on; null if none is';
comment on column revenue_position.compared_all_at is
  'when the last comparison of all campaigns came to its end; null before the first';
alter table campaign_revenue add column compared_at timestamptz not null default now();
comment on column campaign_revenue.compared_at is
  'when it was last compared, or added: a look at all campaigns compares what it was not told of, too';
