-- What deleted entries of automations counted, so that figures stay when who entered is forgotten. Tables of their own: nothing
-- that is there is read or changed.

create table automation_sum (
  automation_id text not null references automation on delete cascade,
  day date not null,
  status text not null,
  reason text not null,
  tenant_id text not null,
  entries bigint not null,
  primary key (automation_id, day, status, reason)
);
comment on table automation_sum is 'entries that were deleted, by the day of UTC on which they entered and what became of them';
comment on column automation_sum.reason is 'empty unless they were skipped';

create table automation_step_sum (
  automation_id text not null references automation on delete cascade,
  step smallint not null,
  status text not null,
  tenant_id text not null,
  entries bigint not null,
  primary key (automation_id, step, status)
);
comment on table automation_step_sum is 'the same entries by what became of each step; one that was not come to was skipped';

select limit_by_owner(name, 'automation', 'automation_id') from unnest(array['automation_sum', 'automation_step_sum']) as name;
