-- Where the looks at the books are: what was written since the last one, every hour, and everything, a little every
-- hour. Reads the largest ids of three tables by their keys; locks nothing that exists.
create table ledger_look (
  only_row boolean primary key default true check (only_row),
  ledger_entry bigint not null,
  cash_entry bigint not null,
  order_transition bigint not null,
  all_after jsonb,
  all_began_at timestamptz,
  all_completed_at timestamptz not null default now()
);
comment on table ledger_look is
  'up to which rows balances and cash were compared with their entries, and where the look at all of them is';
comment on column ledger_look.all_after is 'the last account or order of the look at everything; null before its first';
comment on column ledger_look.all_began_at is 'null before the first look at everything, which finds what was there before';
comment on column ledger_look.all_completed_at is 'from the start, so that the age of the look counts';
insert into ledger_look (ledger_entry, cash_entry, order_transition)
select coalesce((select max(entry_id) from ledger_entry), 0), coalesce((select max(entry_id) from cash_entry), 0),
  coalesce((select max(transition_id) from order_transition), 0);

-- Each look sees these again, also where nothing about them has changed since.
create table ledger_drift (
  subject jsonb primary key,
  found_at timestamptz not null default now()
);
comment on table ledger_drift is 'accounts of points and orders that did not fit their entries when they were last looked at';
comment on column ledger_drift.subject is 'tenantId, userId and kind of an account, or orderId';
