-- Campaigns: what they say and to whom, what makes them (templates, repeats, following messages, drafted
-- texts), and every status that they had. Their sends are in 0006_sends.

create table campaign (
  campaign_id text primary key,
  tenant_id text not null references tenant,
  service_number_id text not null,
  name text not null,
  note text,
  channels text[] not null,
  messages jsonb not null,
  audience jsonb not null,
  schedule jsonb not null,
  ends_at timestamptz,
  status text not null check (status in
    ('draft', 'scheduled', 'sending', 'paused', 'completed', 'partially_failed', 'failed', 'cancelled', 'closed')),
  pause_reason text check (pause_reason in ('operator', 'unauthorized', 'late', 'approval', 'deadline')),
  cancel_requested boolean not null default false,
  source_id text,
  revision bigint not null default nextval('revision'),
  dispatches integer not null default 0,
  created_by text not null,
  edited_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  closed_at timestamptz,
  cancelled_at timestamptz,
  cancel_outcome text check (cancel_outcome in ('cancelled', 'partly', 'too_late')),
  sent_twice integer not null default 0,
  sent_twice_at timestamptz,
  ended_by_uninstall boolean not null default false,
  holdout_percent integer check (holdout_percent between 1 and 50),
  pace jsonb,
  next_claim_at timestamptz,
  revenue_window_days integer check (revenue_window_days between 1 and 30),
  template_id text,
  template_version integer,
  variants jsonb,
  steps jsonb,
  utm jsonb,
  sent_name text,
  first_claimed_at timestamptz,
  check ((status = 'paused') = (pause_reason is not null))
);
comment on column campaign.cancelled_at is 'when :cancel was accepted; closing requests a cancellation without it';
comment on column campaign.sent_twice is
  'contacts of sub-tasks that turned out to have been sent after a retry had sent to the same contacts';
comment on column campaign.ended_by_uninstall is
  'it was open when the tenant was uninstalled: cancelled, whatever becomes of its sub-tasks';
comment on column campaign.holdout_percent is
  'how much of the audience is held back as a control group; null: nobody is';
comment on column campaign.pace is 'how its submission is spread over time, and until when; null: all at once';
comment on column campaign.next_claim_at is
  'when its pace lets the next sub-task of any of its sends be submitted; null: none was yet';
comment on column campaign.revenue_window_days is
  'for how many days after its send orders from its links count; null: its links carry no token';
comment on column campaign.template_id is 'what it was made from; no reference, since templates can be deleted';
comment on column campaign.variants is
  'other messages that its own are tested against, and how the winner is found; null: none';
comment on column campaign.steps is
  'messages that follow it after a time, to those who did or did not do something; null: none';
comment on column campaign.utm is 'patterns of parameters that its links get when they are sent; null: none';
comment on column campaign.sent_name is 'its name when it was first sent, which those parameters keep; null until then';
comment on column campaign.first_claimed_at is
  'when its first sub-task was claimed, with which it was decided that it may go out; null: no other is claimed before';
create trigger campaign_revision before update of name, note, channels, messages, audience, schedule, ends_at,
    holdout_percent, pace, revenue_window_days, variants, steps, utm, dispatches, pause_reason,
    cancel_requested, closed_at, ended_by_uninstall on campaign for each row
  when ((old.name, old.note, old.channels, old.messages, old.audience, old.schedule, old.ends_at,
    old.holdout_percent, old.pace, old.revenue_window_days, old.variants, old.steps, old.utm, old.dispatches,
    old.pause_reason, old.cancel_requested, old.closed_at, old.ended_by_uninstall) is distinct from
    (new.name, new.note, new.channels, new.messages, new.audience, new.schedule, new.ends_at,
    new.holdout_percent, new.pace, new.revenue_window_days, new.variants, new.steps, new.utm, new.dispatches,
    new.pause_reason, new.cancel_requested, new.closed_at, new.ended_by_uninstall))
  execute function take_revision();
create index campaign_by_tenant on campaign (tenant_id, created_at desc, campaign_id desc);
create index campaign_open on campaign (status) where status in ('scheduled', 'sending', 'paused');
create index campaign_ending on campaign (ends_at)
  where ends_at is not null and dispatches > 0 and status <> 'closed';
create index campaign_by_saved_audience on campaign ((audience ->> 'audienceId'))
  where audience ->> 'audienceId' is not null;
create index campaign_sent_twice on campaign (tenant_id, sent_twice_at) where sent_twice > 0;
create index campaign_begun on campaign (tenant_id, service_number_id, first_claimed_at)
  where first_claimed_at is not null;
create index campaign_by_name on campaign (tenant_id, (lower(name) collate "C"), campaign_id);

create table campaign_transition (
  transition_id bigint generated always as identity primary key,
  tenant_id text not null,
  campaign_id text not null references campaign on delete cascade,
  at timestamptz not null default now(),
  from_status text not null,
  to_status text not null,
  pause_reason text
);
create index campaign_transition_by_campaign on campaign_transition (campaign_id, at desc);

-- Many statements change a status; with a trigger none of them can omit the history.
create function keep_campaign_transition() returns trigger language plpgsql as $$
begin
  insert into campaign_transition (tenant_id, campaign_id, from_status, to_status, pause_reason)
  values (new.tenant_id, new.campaign_id, old.status, new.status, new.pause_reason);
  return null;
end $$;
create trigger campaign_status_moved after update of status on campaign
  for each row when (old.status is distinct from new.status) execute function keep_campaign_transition();

create table campaign_edit (
  edit_id text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null references campaign,
  patch jsonb not null,
  requested_by text not null,
  request_id text,
  requested_at timestamptz not null,
  outcome text check (outcome in ('made', 'too_late', 'dropped')),
  settled_at timestamptz,
  check ((outcome is null) = (settled_at is null))
);
comment on table campaign_edit is
  'changes of scheduled campaigns whose sub-tasks the platform has: made once it has cancelled all of them';
comment on column campaign_edit.outcome is
  'null while the tasks are being cancelled; dropped: the campaign was cancelled or closed in the meantime';
create unique index campaign_edit_open on campaign_edit (campaign_id) where outcome is null;
create index campaign_edit_campaign on campaign_edit (campaign_id);
-- What is asked, decided or changed beside the campaign's row is shown with the campaign.
create function take_revision_of_campaign() returns trigger language plpgsql set search_path = outreach as $$
begin
  update campaign set revision = nextval('revision') where campaign_id = new.campaign_id;
  return null;
end $$;
create trigger campaign_edit_revision after insert or update of outcome on campaign_edit
  for each row execute function take_revision_of_campaign();

create table holdout_key (
  campaign_id text primary key references campaign on delete cascade,
  inner_block bytea not null,
  outer_block bytea not null
);
comment on table holdout_key is
  'the random key by which a campaign draws its sample, its control group and who gets which variant, made when it first does';
comment on column holdout_key.inner_block is 'the key of HMAC-SHA-256 xor ipad (RFC 2104), so that SQL can compute it';
comment on column holdout_key.outer_block is 'the same key xor opad';

-- A campaign can have several: F1 is repeated after an ambiguous outcome, and sessions report the others.
create table entry_source (
  tenant_id text not null references tenant,
  source_id text not null,
  campaign_id text not null references campaign,
  -- Changes of the campaign that the platform should know about, and how many of them were reported to it (F2).
  wanted integer not null default 0,
  told integer not null default 0,
  -- F3 took effect, or the platform rejected it for good (then with the code).
  ended_at timestamptz,
  -- The last rejection by the platform, for operators.
  error_code text,
  error_message text,
  error_call text check (error_call in ('update', 'end')),
  error_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, source_id)
);
create index entry_source_by_campaign on entry_source (campaign_id);
create index entry_source_active on entry_source (campaign_id) where ended_at is null;
create index entry_source_refused on entry_source (tenant_id, error_at) where error_at is not null;

create table campaign_step (
  campaign_id text not null references campaign on delete cascade,
  position smallint not null,
  tenant_id text not null references tenant,
  state text not null check (state in ('waiting', 'sent', 'approval', 'skipped', 'cancelled')),
  reason text check ((reason is not null) = (state in ('skipped', 'cancelled'))),
  next_look_at timestamptz check (next_look_at is null or state = 'waiting'),
  due_at timestamptz,
  decided_at timestamptz check ((decided_at is null) = (state = 'waiting')),
  step_campaign_id text references campaign on delete set null,
  pause_reason text check (pause_reason in ('restored')),
  primary key (campaign_id, position)
);
comment on table campaign_step is
  'what became of the messages that follow a campaign, from its send on; what they say is in campaign.steps';
comment on column campaign_step.position is '1 for the first';
comment on column campaign_step.next_look_at is 'when it is looked at next; null unless it is the next one';
comment on column campaign_step.due_at is 'when it was due, once it was decided about';
comment on column campaign_step.step_campaign_id is 'the campaign that it was sent as';
comment on column campaign_step.pause_reason is
  'why a waiting one is not looked at before somebody resumes it; null: it is';
create unique index campaign_step_by_campaign on campaign_step (step_campaign_id);
create index campaign_step_by_tenant on campaign_step (tenant_id, campaign_id);
create index campaign_step_due on campaign_step (next_look_at) where next_look_at is not null;

create table campaign_repeat (
  repeat_id text primary key,
  tenant_id text not null,
  service_number_id text not null,
  campaign_id text references campaign on delete set null,
  name text not null,
  calendar jsonb not null,
  zone text not null,
  until timestamptz,
  max_runs integer,
  skip_reached boolean not null,
  status text not null check (status in ('active', 'paused', 'ended')),
  end_reason text check ((end_reason is not null) = (status = 'ended')),
  pause_reason text check (pause_reason in ('operator', 'restored')),
  next_at timestamptz check ((next_at is not null) = (status = 'active')),
  next_local_time text check ((next_local_time is null) = (next_at is null)),
  runs integer not null default 0,
  sends integer not null default 0,
  schedule_stale boolean not null default true,
  started_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision bigint not null default nextval('revision'),
  check ((pause_reason is not null) = (status = 'paused'))
);
comment on table campaign_repeat is 'campaigns that are sent on a calendar; each run makes a campaign of its own';
comment on column campaign_repeat.campaign_id is 'whose content each run copies; null once it was deleted';
comment on column campaign_repeat.next_local_time is
  'what clocks in the zone show at next_at, or would if they did not skip it';
comment on column campaign_repeat.schedule_stale is 'its Schedule does not say what next_at says';
comment on column campaign_repeat.started_by is 'in whose name it sends: who created or last resumed it';
create trigger campaign_repeat_revision before update of name, calendar, zone, until, max_runs, skip_reached,
    pause_reason, end_reason, started_by on campaign_repeat for each row
  when ((old.name, old.calendar, old.zone, old.until, old.max_runs, old.skip_reached, old.pause_reason,
    old.end_reason, old.started_by) is distinct from
    (new.name, new.calendar, new.zone, new.until, new.max_runs, new.skip_reached, new.pause_reason,
    new.end_reason, new.started_by))
  execute function take_revision();
create index campaign_repeat_by_tenant on campaign_repeat (tenant_id, repeat_id);
create index campaign_repeat_by_campaign on campaign_repeat (campaign_id);
create index campaign_repeat_due on campaign_repeat (next_at) where status = 'active';
create index campaign_repeat_stale on campaign_repeat (repeat_id) where schedule_stale;

create table repeat_run (
  repeat_id text not null references campaign_repeat on delete cascade,
  local_time text not null,
  number integer not null,
  due_at timestamptz not null,
  ran_at timestamptz not null,
  outcome text not null check (outcome in ('sent', 'approval', 'missed', 'overlap', 'refused')),
  reason text,
  campaign_id text references campaign on delete set null,
  left_out integer not null default 0,
  primary key (repeat_id, local_time),
  unique (repeat_id, number)
);
comment on table repeat_run is 'one wall time of a repeat, which therefore runs once, and what became of it';
comment on column repeat_run.left_out is 'contacts that were left out because an earlier run reached them';
create unique index repeat_run_by_campaign on repeat_run (campaign_id);

create table template (
  template_id text primary key,
  tenant_id text not null references tenant,
  service_number_id text,
  name text not null,
  kind text not null check (kind in ('card', 'campaign', 'message')),
  version integer not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  revision bigint not null default nextval('revision'),
  unique (tenant_id, name)
);
comment on column template.service_number_id is 'of which it is; null: of all of the tenant';
comment on column template.version is 'the newest of its versions, which campaigns are made from';
create trigger template_revision before update of name, version on template for each row
  when ((old.name, old.version) is distinct from
    (new.name, new.version))
  execute function take_revision();
create index template_by_tenant on template (tenant_id, updated_at desc, template_id desc);

create table template_version (
  template_id text not null references template on delete cascade,
  version integer not null,
  tenant_id text not null,
  content jsonb not null,
  variables jsonb not null,
  restored_from integer,
  created_by text not null,
  created_at timestamptz not null,
  primary key (template_id, version)
);
comment on table template_version is 'never changed: a template gets another version';

-- brief and drafts are text, like the payloads of events: JSON that is stored verbatim.
create table copywriting (
  copywriting_id text primary key,
  tenant_id text not null references tenant,
  requested_by text not null,
  brief text not null,
  status text not null default 'pending' check (status in ('pending', 'written', 'failed')),
  drafts text,
  failure text check (failure in ('refused', 'misconfigured', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'written') = (drafts is not null))
);
create index copywriting_by_tenant on copywriting (tenant_id, created_at desc);

-- Workflows of uninstalled tenants that are still to be cancelled; the sweep deletes a row once that is done.
create table ending_workflow (
  campaign_id text not null references campaign,
  kind text not null check (kind in ('dispatch', 'poll', 'close', 'sources', 'variants', 'steps')),
  number integer not null default 0,
  primary key (campaign_id, kind, number)
);
