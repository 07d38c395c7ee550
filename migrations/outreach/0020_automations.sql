-- Automations: campaigns that begin by themselves, for one contact after the other. What an automation says and sends is
-- the campaign with its id, which no list of campaigns shows: sub-tasks, clicks, entry sources and conversations are those
-- of that campaign. Its further steps are stored as variants are, so a sub-task of step n has variant and arm n.

alter table campaign add column automation boolean not null default false;
comment on column campaign.automation is
  'it holds what an automation sends; sending: active, closed or cancelled: ended';

create table automation (
  automation_id text primary key references campaign on delete cascade,
  tenant_id text not null references tenant,
  trigger jsonb not null,
  event text not null generated always as (trigger ->> 'event') stored,
  filter jsonb,
  delay_minutes integer not null,
  steps jsonb not null,
  entry jsonb not null,
  quiet_hours jsonb,
  max_per_day integer check (max_per_day > 0),
  exit_on jsonb,
  restored boolean not null default false,
  end_reason text check (end_reason in ('operator', 'ends_at')),
  activated_at timestamptz,
  started_by text,
  updated_at timestamptz not null,
  revision bigint not null default nextval('revision')
);
comment on table automation is 'what begins an automation and when its steps are due; the rest is in its campaign';
comment on column automation.steps is 'of each step how long it waits for the one before, and what that must have led to';
comment on column automation.restored is 'it is paused because the database was restored, until somebody resumes it';
comment on column automation.activated_at is 'causes count that are later; null: it was never active';
create trigger automation_revision before update on automation for each row
  when ((old.trigger, old.filter, old.delay_minutes, old.steps, old.entry, old.quiet_hours, old.max_per_day, old.exit_on,
    old.restored, old.activated_at) is distinct from (new.trigger, new.filter, new.delay_minutes, new.steps, new.entry,
    new.quiet_hours, new.max_per_day, new.exit_on, new.restored, new.activated_at))
  execute function take_revision();
create index automation_by_tenant on automation (tenant_id, automation_id);
create index automation_by_event on automation (tenant_id, event) where activated_at is not null;

-- Status, name, end and the like are in the campaign's row, and an approval beside it. A batch counts its dispatch there,
-- which nobody did.
create function take_revision_of_automation() returns trigger language plpgsql set search_path = outreach as $$
begin
  update automation set revision = nextval('revision') where automation_id = new.campaign_id;
  return null;
end $$;
create trigger campaign_of_automation_changed after update on campaign
  for each row when (new.automation and (old.status <> new.status
    or old.revision <> new.revision and old.dispatches = new.dispatches))
  execute function take_revision_of_automation();

create table automation_entry (
  entry_id text primary key default gen_random_uuid()::text,
  tenant_id text not null references tenant,
  automation_id text not null references automation on delete cascade,
  contact_id text not null,
  cause_key text not null,
  cause jsonb not null,
  caused_at timestamptz not null,
  entered_at timestamptz not null,
  decided_at timestamptz,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'skipped', 'unknown')),
  reason text,
  unique (automation_id, contact_id, cause_key),
  check ((reason is not null) = (status = 'skipped'))
);
comment on table automation_entry is 'a contact and one cause for which it may enter an automation';
comment on column automation_entry.decided_at is 'when it was decided whether it enters; null: not yet, and it has no steps';
create index automation_entry_undecided on automation_entry (automation_id, caused_at) where decided_at is null;
create index automation_entry_by_time on automation_entry (automation_id, entered_at desc, entry_id desc);
create index automation_entry_by_status on automation_entry (automation_id, status, reason);
create index automation_entry_by_contact on automation_entry (tenant_id, contact_id);

create table automation_step (
  entry_id text not null references automation_entry on delete cascade,
  step smallint not null check (step between 0 and 4),
  tenant_id text not null,
  automation_id text not null,
  contact_id text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'skipped', 'unknown')),
  reason text,
  due_at timestamptz not null,
  claimed_at timestamptz,
  sent_at timestamptz,
  sub_task_key text references broadcast_task,
  primary key (entry_id, step),
  check ((reason is not null) = (status = 'skipped')),
  check ((sub_task_key is null) = (claimed_at is null))
);
comment on table automation_step is 'a step that an entry has come to; those after it have no row yet';
comment on column automation_step.claimed_at is 'when it was put into a sub-task, from when on it counts for the limits of a day';
comment on column automation_step.sent_at is 'when the platform accepted the sub-task';
create index automation_step_due on automation_step (automation_id, due_at)
  where status = 'waiting' and sub_task_key is null;
create index automation_step_of_sub_task on automation_step (sub_task_key) where sub_task_key is not null;
create index automation_step_by_claim on automation_step (automation_id, claimed_at) where claimed_at is not null;
create index automation_step_by_contact on automation_step (tenant_id, contact_id, claimed_at);

-- After steps have ended: entries that go on get their next step, and each entry says what became of it. Where no step is
-- left or the automation has ended, an entry is what its steps are together.
create function settle_automation_entries(entry_ids text[]) returns void language plpgsql
  set search_path = outreach as $$
begin
  insert into automation_step (entry_id, step, tenant_id, automation_id, contact_id, due_at)
  select s.entry_id, s.step + 1, s.tenant_id, s.automation_id, s.contact_id,
    s.sent_at + make_interval(mins => (a.steps -> (s.step + 1) -> 'delay' ->> 'minutes')::int)
  from automation_step s join automation a using (automation_id) join campaign c on c.campaign_id = s.automation_id
  where s.entry_id = any(entry_ids) and s.status = 'sent' and s.step + 1 < jsonb_array_length(a.steps)
    and c.status in ('sending', 'paused')
  on conflict do nothing;

  update automation_entry e set status = f.status, reason = f.reason
  from (
    select s.entry_id, case
        when bool_or(s.status = 'waiting') then 'waiting'
        when bool_or(s.status = 'unknown' and s.step + 1 < jsonb_array_length(a.steps))
          and c.status in ('sending', 'paused') then 'waiting'
        when bool_or(s.status = 'sent') then 'sent'
        when bool_or(s.status = 'unknown') then 'unknown'
        else 'skipped' end as status,
      (array_agg(s.reason order by s.step) filter (where s.reason is not null))[1] as first_reason
    from automation_step s join automation a using (automation_id) join campaign c on c.campaign_id = s.automation_id
    where s.entry_id = any(entry_ids) group by s.entry_id, a.steps, c.status
  ) s cross join lateral (select s.status, case when s.status = 'skipped' then s.first_reason end as reason) f
  where e.entry_id = s.entry_id and (e.status, e.reason) is distinct from (f.status, f.reason);
end $$;

-- What becomes of a sub-task becomes of the steps in it. One that comes back unsent is due as it was, unless the automation
-- has ended.
create function settle_automation_steps() returns trigger language plpgsql set search_path = outreach as $$
declare
  entry_ids text[];
begin
  with changed as (
    update automation_step s set
      status = case when new.status in ('pending', 'submitting') then 'waiting' when new.status = 'unknown' then 'unknown'
        when new.status = 'rejected' then 'skipped'
        when new.status = 'cancelled' then case when c.status in ('sending', 'paused') then 'waiting' else 'skipped' end
        else 'sent' end,
      reason = case when new.status = 'rejected'
          then case when new.error_code = 'contacts_erased' then 'erased' else 'refused' end
        when new.status = 'cancelled' and c.status not in ('sending', 'paused')
          then case when c.ended_by_uninstall then 'uninstalled' else 'ended' end end,
      sent_at = case when new.status in ('scheduled', 'sending', 'completed', 'failed')
        then coalesce(s.sent_at, new.submitted_at, new.finished_at) end,
      sub_task_key = case when new.status = 'cancelled' then null else s.sub_task_key end,
      claimed_at = case when new.status = 'cancelled' then null else s.claimed_at end
    from campaign c where s.sub_task_key = new.key and c.campaign_id = s.automation_id returning s.entry_id)
  select array_agg(entry_id) into entry_ids from changed;
  if entry_ids is not null then
    perform settle_automation_entries(entry_ids);
  end if;
  return null;
end $$;
create trigger broadcast_task_of_automation after update of status on broadcast_task
  for each row when (old.status is distinct from new.status) execute function settle_automation_steps();

-- An ended automation sends nothing more.
create function end_automation_entries() returns trigger language plpgsql set search_path = outreach as $$
declare
  why text := case when new.ended_by_uninstall then 'uninstalled' else 'ended' end;
begin
  update automation_entry set status = 'skipped', reason = why, decided_at = new.updated_at
  where automation_id = new.campaign_id and decided_at is null;
  update automation_step set status = 'skipped', reason = why
  where automation_id = new.campaign_id and status = 'waiting' and sub_task_key is null;
  perform settle_automation_entries(array(
    select entry_id from automation_entry where automation_id = new.campaign_id and status = 'waiting'));
  return null;
end $$;
create trigger campaign_of_automation_ended after update of status on campaign
  for each row when (new.automation and old.status in ('sending', 'paused') and new.status in ('closed', 'cancelled'))
  execute function end_automation_entries();

-- Causes. Each is written in the transaction of what it is, by a trigger, so that nothing that happens is missed; where
-- no automation of the tenant begins with it, that is one look at a small index.

-- Whether the cause at this time counts for the automation: it is open, was active before it, and had not ended.
create function counts_for_automation(a automation, c campaign, at timestamptz) returns boolean language sql stable as $$
  select c.status in ('sending', 'paused') and at > a.activated_at and (c.ends_at is null or at <= c.ends_at)
$$;

create function enter_by_contact_event() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id, x.event_id,
    jsonb_build_object('event', x.event_type, 'eventId', x.event_id), x.occurred_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = x.event_type and a.activated_at is not null
    join campaign c on c.campaign_id = a.automation_id and c.service_number_id = x.service_number_id
  where counts_for_automation(a, c, x.occurred_at)
  on conflict do nothing;
  return null;
end $$;
create trigger contact_event_enters after insert on contact_event
  referencing new table as added for each statement execute function enter_by_contact_event();

create function enter_by_tag() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id, x.tag_id || ' ' || extract(epoch from x.assigned_at),
    jsonb_strip_nulls(jsonb_build_object('event', 'tag.assigned', 'tagId', x.tag_id, 'ruleId', x.source_rule_id,
      'eventId', x.source_event_id, 'campaignId', x.source_campaign_id, 'taskId', x.source_task_id,
      'actionIndex', x.source_action_index, 'bizEventCode', x.source_biz_event_code)), x.assigned_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = 'tag.assigned' and a.activated_at is not null
      and a.trigger ->> 'tagId' = x.tag_id
    join campaign c on c.campaign_id = a.automation_id
  where counts_for_automation(a, c, x.assigned_at)
  on conflict do nothing;
  return null;
end $$;
create trigger tag_assignment_enters after insert on tag_assignment
  referencing new table as added for each statement execute function enter_by_tag();

-- Called by what takes a tag back: expiry, archiving and erasure delete no assignment, or do not count.
create function enter_by_tag_removal(tenant text, tag text, contact_ids text[], at timestamptz) returns void
  language sql set search_path = outreach as $$
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select a.tenant_id, a.automation_id, contact_id, tag || ' ' || extract(epoch from at),
    jsonb_build_object('event', 'tag.removed', 'tagId', tag), at, clock_timestamp()
  from automation a join campaign c on c.campaign_id = a.automation_id
    cross join unnest(contact_ids) as x (contact_id)
  where a.tenant_id = tenant and a.event = 'tag.removed' and a.activated_at is not null
    and a.trigger ->> 'tagId' = tag and counts_for_automation(a, c, at)
  on conflict do nothing
$$;

-- Its own messages never bring anybody into an automation: it would feed itself.
create function enter_by_click() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id,
    jsonb_build_array(x.task_id, x.notice_id, x.action_index)::text,
    jsonb_strip_nulls(jsonb_build_object('event', 'notice.clicked', 'eventId', x.event_id, 'campaignId', x.campaign_id,
      'taskId', x.task_id, 'actionIndex', x.action_index, 'bizEventCode', x.biz_event_code)),
    x.clicked_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = 'notice.clicked'
      and a.activated_at is not null and a.automation_id <> x.campaign_id
    join campaign c on c.campaign_id = a.automation_id
    join campaign o on o.campaign_id = x.campaign_id and o.service_number_id = c.service_number_id
  where counts_for_automation(a, c, x.clicked_at)
    and (a.trigger -> 'campaignIds' is null or a.trigger -> 'campaignIds' ? x.campaign_id)
    and (a.trigger -> 'actionIndex' is null or (a.trigger ->> 'actionIndex')::int = x.action_index)
    and (a.trigger -> 'bizEventCode' is null or a.trigger ->> 'bizEventCode' = x.biz_event_code)
  on conflict do nothing;
  return null;
end $$;
create trigger click_attribution_enters after insert on click_attribution
  referencing new table as added for each statement execute function enter_by_click();

create function enter_by_session() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select new.tenant_id, a.automation_id, new.contact_id, new.session_id,
    jsonb_strip_nulls(jsonb_build_object('event', 'session.closed', 'sessionId', new.session_id,
      'campaignId', new.campaign_id)), new.closed_at, clock_timestamp()
  from automation a join campaign c on c.campaign_id = a.automation_id
  where a.tenant_id = new.tenant_id and a.event = 'session.closed' and a.activated_at is not null
    and c.service_number_id = coalesce(new.service_number_id,
      (select o.service_number_id from campaign o where o.campaign_id = new.campaign_id))
    and counts_for_automation(a, c, new.closed_at)
    and coalesce(new.message_count, 0) >= coalesce((a.trigger ->> 'minMessages')::int, 0)
  on conflict do nothing;
  return null;
end $$;
create trigger conversation_closed_enters after update of closed_at on conversation
  for each row when (old.closed_at is null and new.closed_at is not null) execute function enter_by_session();

alter table tenant add column automations_per_contact_per_day integer default 3;
comment on column tenant.automations_per_contact_per_day is
  'messages that all automations together may send to one contact in 24 hours; null: any number';
alter table tenant add constraint tenant_automations_per_contact_check
  check (automations_per_contact_per_day between 1 and 100) not valid;
create trigger tenant_automations_revision before update of automations_per_contact_per_day on tenant for each row
  when (old.automations_per_contact_per_day is distinct from new.automations_per_contact_per_day)
  execute function take_revision();
