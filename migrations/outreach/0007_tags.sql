-- Tags, who has them and had them, and the rules that give them.

create table tag (
  tag_id text primary key,
  tenant_id text not null references tenant,
  service_number_id text not null,
  name text not null,
  source text not null check (source in ('app_manual', 'app_smart')),
  kind text not null check (kind in ('permanent', 'temporary')),
  color text,
  status text not null check (status in ('active', 'expired', 'archived')),
  expires_at timestamptz,
  contact_count integer not null default 0 check (contact_count >= 0),
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  revision bigint not null default nextval('revision'),
  check (kind = 'permanent' or expires_at is not null)
);
comment on column tag.archived_at is 'null if it is not archived';
create trigger tag_revision before update of name, color, expires_at, archived_at on tag for each row
  when ((old.name, old.color, old.expires_at, old.archived_at) is distinct from
    (new.name, new.color, new.expires_at, new.archived_at))
  execute function take_revision();
create unique index tag_name on tag (tenant_id, service_number_id, lower(name)) where status <> 'archived';
create index tag_expiry on tag (expires_at) where status = 'active' and expires_at is not null;
-- Orders in which lists are read page by page. What changes with every click or tag, such as the count of
-- contacts, has none: its rows could no longer be updated in place.
create index tag_by_name on tag (tenant_id, service_number_id, (lower(name) collate "C"), tag_id);
create index tag_by_creation on tag (tenant_id, service_number_id, created_at, tag_id);

create table tag_past (
  tag_id text not null references tag on delete cascade,
  tenant_id text not null,
  expires_at timestamptz,
  until timestamptz not null,
  primary key (tag_id, until)
);
comment on table tag_past is 'when tags were to expire before that was changed';
create index tag_past_until on tag_past (until);

create table tag_assignment (
  tenant_id text not null,
  tag_id text not null references tag,
  contact_id text not null,
  assigned_at timestamptz not null default now(),
  assigned_by text,
  source_rule_id text,
  source_rule_version integer,
  source_campaign_id text,
  source_task_id text,
  source_action_index integer,
  source_biz_event_code text,
  source_event_id text,
  -- What made a rule assign the tag, as domain/rules/cause.ts names it; null where a person did.
  source_cause text,
  primary key (tag_id, contact_id)
);
create index tag_assignment_by_contact on tag_assignment (tenant_id, contact_id);
create index tag_assignment_by_time on tag_assignment (tag_id, assigned_at desc, contact_id desc);
-- The partial hours at the ends of a period are read row by row; conversion_hour has the hours in between.
create index tag_assignment_converted on tag_assignment (tenant_id, assigned_at) include (source_campaign_id)
  where source_campaign_id is not null;

-- An assignment says itself since when it is there, so giving a tag writes nothing more.
create table tag_assignment_past (
  tenant_id text not null,
  tag_id text not null,
  contact_id text not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (tag_id, contact_id, until)
) partition by range (until);
create table tag_assignment_past_rest partition of tag_assignment_past default;
comment on table tag_assignment_past is 'partitioned by month; assignments that were taken back, and when there were';
create index tag_assignment_past_by_contact on tag_assignment_past (tenant_id, contact_id);
select add_month('tag_assignment_past', (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from generate_series(0, 1) as n;

-- Assignments by a rule that an operator took back: the same cause does not make that rule assign the tag again.
-- Kept until the tag is archived, since an old message can be clicked at any time.
create table removed_assignment (
  tag_id text not null references tag,
  contact_id text not null,
  rule_id text not null,
  cause text not null,
  removed_at timestamptz not null,
  primary key (tag_id, contact_id, rule_id, cause)
);

-- Blocks are of 4096 ordinals. Triggers maintain them, by statement.
create table tag_block (
  tag_id text not null references tag on delete cascade,
  block integer not null,
  contacts bit(4096) not null,
  primary key (tag_id, block)
) with (fillfactor = 50);
comment on table tag_block is
  'the contacts that have a tag, as bits at their ordinals; of contacts without a profile there are none';

create function add_to_tag_blocks() returns trigger language plpgsql set search_path = outreach as $$
begin
  -- A profile is deleted before or after this, never meanwhile: its bits go with it.
  perform pg_advisory_xact_lock_shared(hashtextextended('tag_block ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  insert into tag_block as known
  select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
  from added x
    join tag t on t.tag_id = x.tag_id
    join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
      and p.contact_id = x.contact_id
  group by 1, 2 order by 1, 2
  on conflict (tag_id, block) do update set contacts = known.contacts | excluded.contacts;
  return null;
end $$;
create trigger add_to_tag_blocks after insert on tag_assignment
  referencing new table as added for each statement execute function add_to_tag_blocks();

create function remove_from_tag_blocks() returns trigger language plpgsql set search_path = outreach as $$
begin
  perform 1 from tag_block join (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone x
      join tag t on t.tag_id = x.tag_id
      join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
        and p.contact_id = x.contact_id
    group by 1, 2
  ) gone using (tag_id, block) order by tag_id, block for update of tag_block;
  update tag_block b set contacts = b.contacts & ~gone.contacts
  from (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone x
      join tag t on t.tag_id = x.tag_id
      join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
        and p.contact_id = x.contact_id
    group by 1, 2
  ) gone where b.tag_id = gone.tag_id and b.block = gone.block;
  return null;
end $$;
create trigger remove_from_tag_blocks after delete on tag_assignment
  referencing old table as gone for each statement execute function remove_from_tag_blocks();

create function add_profiles_to_tag_blocks() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into tag_block as known
  select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
  from added p
    join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
    join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
  group by 1, 2 order by 1, 2
  on conflict (tag_id, block) do update set contacts = known.contacts | excluded.contacts;
  return null;
end $$;
create trigger add_profiles_to_tag_blocks after insert on contact_profile
  referencing new table as added for each statement execute function add_profiles_to_tag_blocks();

create function remove_profiles_from_tag_blocks() returns trigger language plpgsql set search_path = outreach as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tag_block ' || tenant_id, 0))
  from (select distinct tenant_id from gone order by tenant_id) tenants;

  perform 1 from tag_block join (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone p
      join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
      join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
    group by 1, 2
  ) gone using (tag_id, block) order by tag_id, block for update of tag_block;
  update tag_block b set contacts = b.contacts & ~gone.contacts
  from (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone p
      join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
      join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
    group by 1, 2
  ) gone where b.tag_id = gone.tag_id and b.block = gone.block;
  return null;
end $$;
create trigger remove_profiles_from_tag_blocks after delete on contact_profile
  referencing old table as gone for each statement execute function remove_profiles_from_tag_blocks();

create table clicker_tagging (
  tagging_id text primary key,
  tenant_id text not null references tenant,
  tag_id text not null references tag,
  campaign_id text not null,
  service_number_id text not null,
  filter jsonb not null,
  after_click text,
  assigned_by text not null,
  updated_at timestamptz not null,
  who text not null default 'clicked',
  after_task jsonb
);
comment on table clicker_tagging is
  'the contacts of a campaign with an outcome are being given a tag; a row goes with its last page';
comment on column clicker_tagging.after_click is
  'the time of the last click, conversation or tag that was read, in microseconds';
comment on column clicker_tagging.after_task is
  'the number of the send and the place of the last sub-task that was read';
create index clicker_tagging_left on clicker_tagging (updated_at);
create index clicker_tagging_tag on clicker_tagging (tag_id);
create index clicker_tagging_tenant on clicker_tagging (tenant_id);

-- No foreign key to the tag: checking it would lock the tag after the rule, the drain locks them the other way round,
-- and tags are never deleted.
create table smart_tag_rule (
  rule_id text primary key,
  tenant_id text not null references tenant,
  version integer not null,
  name text not null,
  trigger_event text not null check (trigger_event in
    ('notice.clicked', 'session.created', 'session.closed', 'no_response_for_N_days')),
  match_condition jsonb not null,
  target_tag_id text not null,
  days integer,
  campaign_id text,
  status text not null check (status in ('active', 'paused')),
  hit_count integer not null default 0,
  last_executed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  revision bigint not null default nextval('revision'),
  check ((trigger_event = 'no_response_for_N_days') = (days is not null))
);
create trigger smart_tag_rule_revision before update of name, version, status, removed_at on smart_tag_rule for each row
  when ((old.name, old.version, old.status, old.removed_at) is distinct from
    (new.name, new.version, new.status, new.removed_at))
  execute function take_revision();
create index smart_tag_rule_by_tenant on smart_tag_rule (tenant_id, rule_id desc) where removed_at is null;
create index smart_tag_rule_by_name on smart_tag_rule (tenant_id, (lower(name) collate "C"), rule_id)
  where removed_at is null;

-- Every definition a rule has had: an assignment's origin names the one that gave it, even after the rule was
-- removed.
create table smart_tag_rule_version (
  rule_id text not null references smart_tag_rule,
  version integer not null,
  name text not null,
  trigger_event text not null,
  match_condition jsonb not null,
  target_tag_id text not null,
  days integer,
  campaign_id text,
  created_at timestamptz not null,
  created_by text not null,
  primary key (rule_id, version)
);

-- Sub-tasks that a no-response rule has finished with, so that no scan looks at them again.
create table no_response_scan (
  rule_id text not null references smart_tag_rule,
  version integer not null,
  task_key text not null references broadcast_task,
  scanned_at timestamptz not null,
  primary key (rule_id, version, task_key)
);
