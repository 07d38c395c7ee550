-- Clicks, conversations, and what the results of campaigns, their lists and the overview would otherwise count
-- row by row. Triggers maintain the roll-ups, so that they match the rows no matter who writes those; clicks
-- are only ever added, and keep their time and campaign. Triggers by statement belong to the whole table:
-- dropping a partition leaves what they have counted.

-- The key includes the campaign: a platform may reuse a task's id.
create table click_attribution (
  tenant_id text not null references tenant,
  task_id text not null,
  contact_id text not null,
  notice_id text not null,
  action_index integer not null,
  message_index integer,
  campaign_id text not null references campaign,
  biz_event_code text,
  event_id text not null,
  clicked_at timestamptz not null,
  repeats integer not null default 0,
  arm smallint,
  contact_ordinal integer,
  stored_at timestamptz
) partition by range (clicked_at);
create table click_attribution_rest partition of click_attribution default;
comment on table click_attribution is
  'partitioned by month; each partition has the primary key (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id), and who inserts looks for it in the others';
comment on column click_attribution.arm is 'of the sub-task that was clicked: as broadcast_task.arm';
comment on column click_attribution.contact_ordinal is
  'of the contact''s profile on the service number of the campaign; null if there was none';
-- Facts have the time at which they occurred; what counts for the past is when they were known.
comment on column click_attribution.stored_at is 'when it was known';
create index click_attribution_by_campaign on click_attribution (campaign_id, clicked_at desc);
create index click_attribution_of_contact on click_attribution (tenant_id, contact_id, clicked_at) include (campaign_id);
-- Who clicked on the partial days at the ends of a period is read from the index alone. The predicate is always true,
-- but keeps lookups by contact from it, which give no time: with statistics of a nearly empty table both cost the same.
create index click_attribution_by_time on click_attribution (tenant_id, clicked_at) include (contact_id, campaign_id)
  where clicked_at is not null;
-- Newer than those, so that a contact's clicks are looked up by it without statistics, too (see 0001_months).
alter table click_attribution_rest
  add primary key (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id);
-- Who clicked one button, or led to one event code: newest first, page by page.
create index click_attribution_by_button on click_attribution (campaign_id, message_index, action_index, clicked_at desc);
create index click_attribution_by_code on click_attribution (campaign_id, biz_event_code, clicked_at desc)
  where biz_event_code is not null;

create table conversation (
  tenant_id text not null references tenant,
  session_id text not null,
  campaign_id text references campaign,
  source_id text,
  service_number_id text,
  contact_id text not null,
  channel text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  duration_seconds double precision,
  message_count integer,
  contact_ordinal integer,
  stored_at timestamptz
) partition by range (opened_at);
create table conversation_rest partition of conversation default;
comment on table conversation is
  'partitioned by month; each partition has the primary key (tenant_id, session_id), and who inserts looks for it in the others';
comment on column conversation.contact_ordinal is
  'of the contact''s profile on the service number of the campaign; null if there was none';
comment on column conversation.stored_at is 'when it was known';
create index conversation_by_campaign on conversation (campaign_id) where campaign_id is not null;
create index conversation_by_contact on conversation (tenant_id, contact_id);
-- The partial hours at the ends of a period are read row by row; conversation_hour has the hours in between.
create index conversation_by_time on conversation (tenant_id, opened_at) where campaign_id is not null;
alter table conversation_rest add primary key (tenant_id, session_id);

select add_month(parent, (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from unnest(array['click_attribution', 'conversation']) as parent, generate_series(0, 1) as n;

-- Hours and days of every zone are whole quarters of an hour.
create table click_quarter (
  tenant_id text not null,
  at timestamptz not null,
  service_number_id text not null,
  clicks integer not null,
  primary key (tenant_id, at, service_number_id)
);

-- Contacts that clicked on a day, by the day of their last click before it. Whoever clicked within [a, b) has exactly
-- one day in it whose former day lies before a, so the contacts of any period are a sum that counts nobody twice.
-- A contact's day counts once for its service number, and once ('') for all of them.
create table clicked_day (
  tenant_id text not null,
  service_number_id text not null,
  day date not null,
  former_day date not null,
  contacts integer not null,
  primary key (tenant_id, service_number_id, day, former_day)
);

create table clicked_hour (
  tenant_id text not null,
  service_number_id text not null,
  day date not null,
  is_first boolean not null,
  hour smallint not null,
  nearest_day date not null,
  contacts integer not null,
  primary key (tenant_id, service_number_id, day, is_first, hour, nearest_day)
);
comment on table clicked_hour is
  'contacts by the hour of their first click on a day and the last day before it with a click of theirs, and by the hour of their last click and the first such day after it';

-- The contacts' days beside each other: as they are, and as they were before the clicks just added. A contact's
-- clicks are looked up by contact, however many the planner takes there to be: the offset keeps it from joining
-- them in another order, and so from reading all of them for each batch.
create function roll_up_clicks() returns trigger language plpgsql
  set search_path = outreach set enable_seqscan = off as $$
begin
  -- A contact's other days must not change between reading and writing.
  perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  insert into click_quarter
  select k.tenant_id, date_bin('15 minutes', k.clicked_at, timestamptz '2000-01-01 00:00Z'), c.service_number_id,
    count(*)
  from added k join campaign c using (campaign_id) group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, at, service_number_id) do update set clicks = click_quarter.clicks + excluded.clicks;

  -- The days of the contacts concerned, before and after: only differences are written.
  with contacts as (select distinct tenant_id, contact_id from added),
  clicks as (
    select tenant_id, contact_id, k.clicked_at, k.campaign_id, 1 as number
    from contacts as w (of_tenant, of_contact) cross join lateral (
      select * from click_attribution k where k.tenant_id = w.of_tenant and k.contact_id = w.of_contact offset 0) k
    union all
    select tenant_id, contact_id, clicked_at, campaign_id, -1 from added),
  hours as (
    select k.tenant_id, s.service_number_id, k.contact_id, (k.clicked_at at time zone 'UTC')::date as day,
      extract(hour from k.clicked_at at time zone 'UTC')::smallint as hour, sum(number) > 0 as known
    from clicks k join campaign c using (campaign_id)
      cross join lateral (values (''), (c.service_number_id)) as s (service_number_id)
    group by 1, 2, 3, 4, 5),
  days as (
    select tenant_id, service_number_id, contact_id, day, bool_or(known) as known,
      min(hour) as first_hour, max(hour) as last_hour,
      min(hour) filter (where known) as known_first_hour, max(hour) filter (where known) as known_last_hour
    from hours group by 1, 2, 3, 4),
  pairs as (
    select *, lag(day) over earlier as former_day, lead(day) over earlier as next_day,
      max(day) filter (where known) over (earlier rows between unbounded preceding and 1 preceding) as known_former_day,
      min(day) filter (where known) over (earlier rows between 1 following and unbounded following) as known_next_day
    from days window earlier as (partition by tenant_id, service_number_id, contact_id order by day)),
  otherwise_begun as (
    select * from pairs
    where not known or first_hour <> known_first_hour or former_day is distinct from known_former_day),
  otherwise_ended as (
    select * from pairs
    where not known or last_hour <> known_last_hour or next_day is distinct from known_next_day),
  of_days as (
    insert into clicked_day
    select tenant_id, service_number_id, day, coalesce(nearest_day, '-infinity'), sum(change)
    from (
      select *, former_day as nearest_day, 1 as change from otherwise_begun
      union all
      select *, known_former_day, -1 from otherwise_begun where known) changes
    group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, service_number_id, day, former_day)
      do update set contacts = clicked_day.contacts + excluded.contacts)
  insert into clicked_hour
  select tenant_id, service_number_id, day, is_first, hour, nearest_day, sum(change)
  from (
    select *, true as is_first, first_hour as hour, coalesce(former_day, '-infinity') as nearest_day, 1 as change
    from otherwise_begun
    union all
    select *, true, known_first_hour, coalesce(known_former_day, '-infinity'), -1 from otherwise_begun where known
    union all
    select *, false, last_hour, coalesce(next_day, 'infinity'), 1 from otherwise_ended
    union all
    select *, false, known_last_hour, coalesce(known_next_day, 'infinity'), -1 from otherwise_ended where known) changes
  group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0 order by 1, 2, 3, 4, 5, 6
  on conflict (tenant_id, service_number_id, day, is_first, hour, nearest_day)
    do update set contacts = clicked_hour.contacts + excluded.contacts;
  return null;
end $$;
create trigger click_attribution_added after insert on click_attribution
  referencing new table as added for each statement execute function roll_up_clicks();

create table campaign_clicks (
  tenant_id text not null,
  campaign_id text not null,
  clicks integer not null,
  contacts integer not null,
  primary key (tenant_id, campaign_id)
);

create table button_clicks (
  tenant_id text not null,
  campaign_id text not null,
  message_index integer not null,
  action_index integer not null,
  clicks integer not null,
  contacts integer not null,
  primary key (tenant_id, campaign_id, message_index, action_index)
);

create table event_code_clicks (
  tenant_id text not null,
  campaign_id text not null,
  biz_event_code text not null,
  clicks integer not null,
  contacts integer not null,
  primary key (tenant_id, campaign_id, biz_event_code)
);

-- Adds the new clicks, and the contacts who had not clicked before. A new click is in the table, too: it counts
-- 1 and -1, so that the sum is what was there before. A click that does not name its card counts for the first
-- card with buttons; what was sent never changes.
create function roll_up_campaign_clicks() returns trigger language plpgsql
  set search_path = outreach set enable_seqscan = off as $$
begin
  -- The lock of roll_up_clicks: a contact's earlier clicks must not change between reading and writing.
  perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  with contacts as materialized (select distinct tenant_id, campaign_id, contact_id from added),
  clicks as materialized (
    -- By contact: the empty text keeps the planner off the campaign's index, which leads to all its clicks.
    select tenant_id, k.campaign_id, contact_id,
      coalesce(k.message_index, (
        select coalesce(min(position) - 1, 0)::int
        from campaign c cross join lateral jsonb_array_elements(c.messages) with ordinality as card (message, position)
        where c.campaign_id = k.campaign_id and message ->> 'type' = 'buttons')) as message_index,
      action_index, biz_event_code, 1 as number
    from contacts as w (of_tenant, of_campaign, of_contact) cross join lateral (
      select * from click_attribution k
      where k.tenant_id = w.of_tenant and k.contact_id = w.of_contact and k.campaign_id || '' = w.of_campaign
      offset 0) k
    union all
    select tenant_id, campaign_id, contact_id,
      coalesce(k.message_index, (
        select coalesce(min(position) - 1, 0)::int
        from campaign c cross join lateral jsonb_array_elements(c.messages) with ordinality as card (message, position)
        where c.campaign_id = k.campaign_id and message ->> 'type' = 'buttons')),
      action_index, biz_event_code, -1
    from added k),
  of_button_clicks as (
    insert into button_clicks as known (tenant_id, campaign_id, message_index, action_index, clicks, contacts)
    select tenant_id, campaign_id, message_index, action_index, sum(made), count(*) filter (where made_before = 0)
    from (
      select tenant_id, campaign_id, message_index, action_index,
        count(*) filter (where number < 0) as made, sum(number) as made_before
      from clicks
      group by tenant_id, campaign_id, message_index, action_index, contact_id) contacts
    where made > 0
    group by tenant_id, campaign_id, message_index, action_index
    order by tenant_id, campaign_id, message_index, action_index
    on conflict (tenant_id, campaign_id, message_index, action_index) do update
      set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts),
  of_event_code_clicks as (
    insert into event_code_clicks as known (tenant_id, campaign_id, biz_event_code, clicks, contacts)
    select tenant_id, campaign_id, biz_event_code, sum(made), count(*) filter (where made_before = 0)
    from (
      select tenant_id, campaign_id, biz_event_code,
        count(*) filter (where number < 0) as made, sum(number) as made_before
      from clicks where biz_event_code is not null
      group by tenant_id, campaign_id, biz_event_code, contact_id) contacts
    where made > 0
    group by tenant_id, campaign_id, biz_event_code
    order by tenant_id, campaign_id, biz_event_code
    on conflict (tenant_id, campaign_id, biz_event_code) do update
      set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts)
  insert into campaign_clicks as known (tenant_id, campaign_id, clicks, contacts)
  select tenant_id, campaign_id, sum(made), count(*) filter (where made_before = 0)
  from (
    select tenant_id, campaign_id,
      count(*) filter (where number < 0) as made, sum(number) as made_before
    from clicks
    group by tenant_id, campaign_id, contact_id) contacts
  where made > 0
  group by tenant_id, campaign_id
  order by tenant_id, campaign_id
  on conflict (tenant_id, campaign_id) do update
    set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts;
  return null;
end $$;
create trigger click_attribution_counted after insert on click_attribution
  referencing new table as added for each statement execute function roll_up_campaign_clicks();

-- Plain sums by the UTC hour in which something began.
create table click_hour (
  tenant_id text not null,
  campaign_id text not null,
  at timestamptz not null,
  clicks integer not null,
  repeats integer not null,
  primary key (tenant_id, campaign_id, at)
);

create function roll_up_click_hour() returns trigger language plpgsql set search_path = outreach as $$
begin
  if tg_op <> 'DELETE' then
    insert into click_hour as known
    select tenant_id, campaign_id, date_trunc('hour', clicked_at, 'UTC'), count(*), sum(repeats)
    from added where true group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint click_hour_pkey do update
      set clicks = known.clicks + excluded.clicks, repeats = known.repeats + excluded.repeats;
  end if;
  if tg_op <> 'INSERT' then
    insert into click_hour as known
    select tenant_id, campaign_id, date_trunc('hour', clicked_at, 'UTC'), -count(*), -sum(repeats)
    from gone where true group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint click_hour_pkey do update
      set clicks = known.clicks + excluded.clicks, repeats = known.repeats + excluded.repeats;
  end if;
  return null;
end $$;
create trigger click_attribution_insert_by_hour after insert on click_attribution
  referencing new table as added for each statement execute function roll_up_click_hour();
create trigger click_attribution_update_by_hour after update on click_attribution
  referencing old table as gone new table as added for each statement execute function roll_up_click_hour();

-- By the hour of opening; `closed` counts those of them that have been closed since.
create table conversation_hour (
  tenant_id text not null,
  campaign_id text not null,
  at timestamptz not null,
  opened integer not null,
  closed integer not null,
  primary key (tenant_id, campaign_id, at)
);
create index conversation_hour_by_time on conversation_hour (tenant_id, at);

create function roll_up_conversation_hour() returns trigger language plpgsql set search_path = outreach as $$
begin
  if tg_op <> 'DELETE' then
    insert into conversation_hour as known
    select tenant_id, campaign_id, date_trunc('hour', opened_at, 'UTC'), count(*), count(closed_at)
    from added where campaign_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint conversation_hour_pkey do update
      set opened = known.opened + excluded.opened, closed = known.closed + excluded.closed;
  end if;
  if tg_op <> 'INSERT' then
    insert into conversation_hour as known
    select tenant_id, campaign_id, date_trunc('hour', opened_at, 'UTC'), -count(*), -count(closed_at)
    from gone where campaign_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint conversation_hour_pkey do update
      set opened = known.opened + excluded.opened, closed = known.closed + excluded.closed;
  end if;
  return null;
end $$;
create trigger conversation_insert_by_hour after insert on conversation
  referencing new table as added for each statement execute function roll_up_conversation_hour();
create trigger conversation_update_by_hour after update on conversation
  referencing old table as gone new table as added for each statement execute function roll_up_conversation_hour();
create trigger conversation_delete_by_hour after delete on conversation
  referencing old table as gone for each statement execute function roll_up_conversation_hour();

-- By tag: whoever changes a tag's assignments has locked its row already, so writers do not wait for each other here.
create table conversion_hour (
  tenant_id text not null,
  campaign_id text not null,
  tag_id text not null,
  at timestamptz not null,
  contacts integer not null,
  primary key (tenant_id, campaign_id, tag_id, at)
);
create index conversion_hour_by_time on conversion_hour (tenant_id, at);

create function roll_up_conversion_hour() returns trigger language plpgsql set search_path = outreach as $$
begin
  if tg_op <> 'DELETE' then
    insert into conversion_hour as known
    select tenant_id, source_campaign_id, tag_id, date_trunc('hour', assigned_at, 'UTC'), count(*)
    from added where source_campaign_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint conversion_hour_pkey do update
      set contacts = known.contacts + excluded.contacts;
  end if;
  if tg_op <> 'INSERT' then
    insert into conversion_hour as known
    select tenant_id, source_campaign_id, tag_id, date_trunc('hour', assigned_at, 'UTC'), -count(*)
    from gone where source_campaign_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint conversion_hour_pkey do update
      set contacts = known.contacts + excluded.contacts;
  end if;
  return null;
end $$;
create trigger tag_assignment_insert_by_hour after insert on tag_assignment
  referencing new table as added for each statement execute function roll_up_conversion_hour();
create trigger tag_assignment_update_by_hour after update on tag_assignment
  referencing old table as gone new table as added for each statement execute function roll_up_conversion_hour();
create trigger tag_assignment_delete_by_hour after delete on tag_assignment
  referencing old table as gone for each statement execute function roll_up_conversion_hour();
