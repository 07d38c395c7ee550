-- Sends of campaigns: their frozen audiences, the ledger of sub-tasks, whom they reached, approvals, tests of
-- variants, and what comes before a send (dry runs, test sends).

-- One send of a campaign; the id is the parentTaskId of its sub-tasks where there are several. Its audience is
-- frozen after `:send` has responded, a page of contacts at a time.
create table dispatch (
  dispatch_id text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null references campaign,
  number integer not null,
  retry_of text references dispatch,
  idempotency_key text,
  scheduled_at timestamptz,
  -- When this send was paused for being late; if resumed after that, it is sent despite its time.
  late_at timestamptz,
  audience_count integer not null,
  audience_hash text not null,
  excluded jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  source jsonb,
  frozen_count integer not null default 0,
  frozen_excluded jsonb not null default '{"expiredTags": 0, "unsubscribed": 0, "unreachable": 0}',
  frozen_through text,
  frozen_at timestamptz,
  freeze_at timestamptz not null default now(),
  recipients_deleted_at timestamptz,
  control_count integer not null default 0,
  sub_task_size integer not null default 1000,
  deadline_over_at timestamptz,
  arm_counts integer[],
  left_out_count integer not null default 0,
  take_bound bytea,
  unique (campaign_id, number)
);
comment on column dispatch.source is 'what defines the audience; null for a retry, which takes over what sub-tasks had';
comment on column dispatch.frozen_count is 'contacts in the snapshot so far';
comment on column dispatch.frozen_excluded is 'whom the audience did not reach so far; in the end that is excluded';
comment on column dispatch.frozen_through is
  'the last contact that was read, in order of id; for a retry the last sub-task that was taken over, in order of key';
comment on column dispatch.frozen_at is 'the snapshot is complete; until then audience_count is what was counted';
comment on column dispatch.freeze_at is 'when freezing begins';
comment on column dispatch.recipients_deleted_at is
  'when their retention had passed; nobody can be retried or looked up any more';
comment on column dispatch.control_count is
  'contacts of the frozen audience that are held back as a control group; audience_count does not have them';
comment on column dispatch.left_out_count is
  'contacts that the audience reaches and the send does not so far: an earlier run reached them, or they are in no sample';
comment on column dispatch.take_bound is
  'up to which hash contacts are in the sample of so many, where the audience is frozen in several pages';
comment on column dispatch.sub_task_size is 'contacts of a sub-task at most';
comment on column dispatch.deadline_over_at is
  'when the rest was kept back at the deadline, which then no longer counts';
comment on column dispatch.arm_counts is
  'contacts frozen so far for each variant, and at last for the rest; null unless it tests variants and repeats no other send';
create unique index dispatch_idempotency on dispatch (campaign_id, idempotency_key) where idempotency_key is not null;
create index dispatch_by_audience on dispatch (tenant_id, audience_hash, created_at);
create index dispatch_preparing on dispatch (freeze_at) where frozen_at is null;

-- The frozen audience, one list of contacts for each sub-task: a million rows with two indexes took most of a send's
-- preparation. No foreign key: chunks are written while their dispatch is frozen, and dropped by month.
create table dispatch_chunk (
  dispatch_id text not null,
  chunk integer not null,
  contact_ids text[] not null check (cardinality(contact_ids) > 0),
  contact_count integer generated always as (cardinality(contact_ids)) stored,
  first_id text generated always as (contact_ids[1]) stored,
  last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
  primary key (dispatch_id, chunk)
) partition by range (dispatch_id);
create table dispatch_chunk_rest partition of dispatch_chunk default;
comment on table dispatch_chunk is 'partitioned by month';
comment on column dispatch_chunk.contact_ids is
  'the frozen contacts of one sub-task, in order of id; whoever was erased since by pseudonym';
-- A contact is looked for in the lists that may have it: those that a freeze has made do not overlap.
create index dispatch_chunk_by_contact on dispatch_chunk (dispatch_id, last_id, first_id);

-- Each contact of a frozen audience as a row, for whoever reads whole sub-tasks.
create view dispatch_recipient as
  select c.dispatch_id, r.contact_id, c.chunk
  from dispatch_chunk c cross join lateral unnest(c.contact_ids) as r (contact_id);

create table dispatch_control (
  dispatch_id text not null,
  part integer not null,
  contact_ids text[] not null check (cardinality(contact_ids) > 0),
  contact_count integer generated always as (cardinality(contact_ids)) stored,
  first_id text generated always as (contact_ids[1]) stored,
  last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
  primary key (dispatch_id, part)
) partition by range (dispatch_id);
create table dispatch_control_rest partition of dispatch_control default;
comment on table dispatch_control is 'partitioned by month';
comment on column dispatch_control.contact_ids is
  'frozen contacts that a send holds back, at most 1,000 to a list, in order of id; whoever was erased since by pseudonym';
create index dispatch_control_by_contact on dispatch_control (dispatch_id, last_id, first_id);

-- The sub-task ledger: the row is the unit of exactly-once.
create table broadcast_task (
  key text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null references campaign,
  dispatch_id text not null references dispatch,
  chunk integer not null,
  task_id text,
  status text not null check (status in
    ('pending', 'submitting', 'unknown', 'rejected', 'scheduled', 'sending', 'completed', 'cancelled', 'failed')),
  contact_count integer not null check (contact_count between 1 and 1000),
  recipient_count integer,
  estimated_recipient_count integer,
  sent integer,
  delivered integer,
  failed integer,
  read integer,
  attempts integer not null default 0,
  claimed_at timestamptz,
  submitting_since timestamptz,
  -- The attempt that holds a submission: only that one may record its outcome.
  submitting_by text,
  next_attempt_at timestamptz,
  submitted_at timestamptz,
  next_poll_at timestamptz,
  poll_interval_ms integer,
  poll_until timestamptz,
  error_code text,
  error_message text,
  started_at timestamptz,
  finished_at timestamptz,
  -- The send that took over the contacts of a rejected or failed sub-task, which no longer counts.
  superseded_by text references dispatch,
  created_at timestamptz not null default now(),
  status_assumed boolean not null default false,
  not_found_since timestamptz,
  withheld_from text references broadcast_task,
  withdrawn_for text references campaign_edit,
  reached boolean not null default false,
  failing_since timestamptz,
  failing_with text,
  reported_at timestamptz,
  arm smallint,
  variant smallint,
  polls integer not null default 0,
  delivered_since timestamptz,
  unique (dispatch_id, chunk),
  constraint broadcast_task_failing_check check ((failing_since is null) = (failing_with is null)
    and failing_with in ('no_response', 'error', 'unauthorized'))
);
comment on column broadcast_task.claimed_at is
  'when it was claimed last, for the pace: null if that claim was given back without a call';
comment on column broadcast_task.sent is 'null until the platform (A2) reported it, like the other counts';
comment on column broadcast_task.status_assumed is
  'concluded from a click or a response, not reported by A2: its next report may also move the status back';
comment on column broadcast_task.not_found_since is 'since when A2 has returned nothing but 404';
comment on column broadcast_task.withheld_from is
  'the sub-task that its contacts were taken out of because another had been sent to them; if that one was sent, too, they got it twice';
comment on column broadcast_task.withdrawn_for is
  'the edit for which the task is cancelled at the platform: its contacts move to another sub-task once it is';
comment on column broadcast_task.reached is 'somebody clicked on it, so it was sent, whatever the platform reports';
comment on column broadcast_task.failing_since is
  'since when every call about it to the platform has failed; null after one that did not';
comment on column broadcast_task.reported_at is 'when the platform last reported something new about it (A2)';
comment on column broadcast_task.arm is
  'the variant that its contacts were drawn for, or 5: the rest; null without variants';
comment on column broadcast_task.variant is
  'whose messages it has; null: the campaign''s own, or those of the variant that is going to be chosen for the rest';
comment on column broadcast_task.polls is 'how often the platform was asked for it (A2) until it ended';
comment on column broadcast_task.delivered_since is
  'since when it counts as delivered, with the end that it has; null if it does not';
-- Not unique: nothing in the protocol prevents a platform from reusing an id.
create index broadcast_task_platform_id on broadcast_task (tenant_id, task_id) where task_id is not null;
create index broadcast_task_by_campaign on broadcast_task (campaign_id, status);
create index broadcast_task_due on broadcast_task (campaign_id, next_poll_at) where next_poll_at is not null;
create index broadcast_task_polled on broadcast_task (next_poll_at) where next_poll_at is not null;
create index broadcast_task_unsettled on broadcast_task (dispatch_id, chunk) where status in ('pending', 'submitting');
create index broadcast_task_submitting on broadcast_task (tenant_id) where status = 'submitting';
create index broadcast_task_unknown on broadcast_task (tenant_id) where status = 'unknown';
create index broadcast_task_scheduled on broadcast_task (campaign_id) where status = 'scheduled';
create index broadcast_task_finished on broadcast_task (campaign_id, finished_at) where status = 'completed';
create index broadcast_task_superseded on broadcast_task (superseded_by, key) where superseded_by is not null;
create index broadcast_task_withheld on broadcast_task (withheld_from) where withheld_from is not null;
create index broadcast_task_withdrawn on broadcast_task (campaign_id) where withdrawn_for is not null;
create index broadcast_task_withdrawn_for on broadcast_task (withdrawn_for) where withdrawn_for is not null;

create table broadcast_task_past (
  tenant_id text not null,
  dispatch_id text not null references dispatch on delete cascade,
  chunk integer not null,
  campaign_id text not null,
  finished_at timestamptz,
  since timestamptz,
  until timestamptz not null,
  primary key (dispatch_id, chunk, until)
);
comment on table broadcast_task_past is
  'when sub-tasks counted as delivered that do no longer, or have another end since';
create index broadcast_task_past_tenant on broadcast_task_past (tenant_id, until);

-- By row, and as seldom as sets of reach are outdated: when a sub-task begins or ceases to count as delivered.
create function keep_past_delivery() returns trigger language plpgsql set search_path = outreach as $$
declare
  -- What the platform reports has the time of who asked for it.
  at timestamptz := case
    when new.reported_at is distinct from old.reported_at then new.reported_at else clock_timestamp() end;
begin
  if (old.status = 'completed' and old.superseded_by is null and old.delivered is distinct from 0) then
    insert into broadcast_task_past (tenant_id, dispatch_id, chunk, campaign_id, finished_at, since, until)
    values (old.tenant_id, old.dispatch_id, old.chunk, old.campaign_id, old.finished_at, old.delivered_since, at)
    on conflict do nothing;
  end if;
  new.delivered_since := case
    when (new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0) then at end;
  return new;
end $$;
create trigger broadcast_task_delivered before update of status, superseded_by, delivered, finished_at on broadcast_task
  for each row when (
    (old.status = 'completed' and old.superseded_by is null and old.delivered is distinct from 0)
      is distinct from (new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0)
    or ((new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0)
      and old.finished_at is distinct from new.finished_at))
  execute function keep_past_delivery();

create table dispatch_reach (
  dispatch_id text primary key references dispatch on delete cascade,
  tenant_id text not null references tenant,
  campaign_id text not null,
  service_number_id text not null,
  due_at timestamptz not null,
  built_at timestamptz,
  first_finished_at timestamptz,
  last_finished_at timestamptz
);
comment on table dispatch_reach is 'large sends, and whether the set of the contacts that they reached is there';
comment on column dispatch_reach.due_at is 'a set that is not there is not built before';
comment on column dispatch_reach.built_at is
  'since when its blocks are those of the sub-tasks that were delivered; null: whatever blocks it has say nothing';
comment on column dispatch_reach.first_finished_at is
  'of the sub-tasks in the set; null if it has none, or one without a time';
create index dispatch_reach_due on dispatch_reach (due_at) where built_at is null;
create index dispatch_reach_built on dispatch_reach (tenant_id, service_number_id, last_finished_at)
  where built_at is not null;

-- The lists of a send to fewer than 2,000 are unfolded in no more time than a set is read.
create function note_large_send() returns trigger language plpgsql set search_path = outreach as $$
begin
  insert into dispatch_reach (dispatch_id, tenant_id, campaign_id, service_number_id, due_at)
  select new.dispatch_id, new.tenant_id, new.campaign_id, c.service_number_id, new.frozen_at
  from campaign c where c.campaign_id = new.campaign_id
  on conflict do nothing;
  return null;
end $$;
create trigger dispatch_frozen after insert or update of frozen_at on dispatch
  for each row when (new.frozen_at is not null and new.frozen_count >= 2000) execute function note_large_send();

-- By row: what else changes about a sub-task, as it does several times while it is sent, costs a comparison.
create function outdate_reach() returns trigger language plpgsql set search_path = outreach as $$
begin
  update dispatch_reach set built_at = null where dispatch_id = new.dispatch_id and built_at is not null;
  return null;
end $$;
create trigger broadcast_task_reached after update of status, superseded_by, delivered, finished_at on broadcast_task
  for each row when (
    (old.status = 'completed' and old.superseded_by is null and old.delivered is distinct from 0)
      is distinct from (new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0)
    or ((new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0)
      and old.finished_at is distinct from new.finished_at))
  execute function outdate_reach();

-- As many contacts as in a block of `tag_block`.
create table reach_block (
  dispatch_id text not null references dispatch_reach on delete cascade,
  block integer not null,
  contacts bit(4096) not null,
  primary key (dispatch_id, block)
);
comment on table reach_block is
  'the contacts that a send reached, as bits at their ordinals; who was erased since may still have one, of no profile';

-- The contacts that are in at least so many of these sets, and in at most so many (null: in any number). The sets are
-- added up for all contacts at once: `digits` has the binary digits of each contact's number, the lowest first.
create function contacts_between(sets bit[], fewest integer, most integer) returns varbit
  language plpgsql immutable set search_path = outreach as $$
declare
  nobody varbit := sets[1] # sets[1];
  digits varbit[] := '{}';
  carry varbit;
  rest varbit;
  place integer;
  bound integer;
  above varbit;
  equal varbit;
  found varbit;
begin
  foreach carry in array sets loop
    place := 1;
    while carry <> nobody loop
      rest := coalesce(digits[place], nobody) & carry;
      digits[place] := coalesce(digits[place], nobody) # carry;
      carry := rest;
      place := place + 1;
    end loop;
  end loop;
  foreach bound in array array[fewest, most + 1] loop
    exit when bound is null;
    above := nobody;
    equal := ~nobody;
    for place in reverse 30..1 loop
      if (bound >> (place - 1)) & 1 = 1 then
        equal := equal & coalesce(digits[place], nobody);
      else
        above := above | (equal & coalesce(digits[place], nobody));
        equal := equal & ~coalesce(digits[place], nobody);
      end if;
    end loop;
    found := case when found is null then above | equal else found & ~(above | equal) end;
  end loop;
  return found;
end $$;

create table send_approval (
  approval_id text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null references campaign on delete cascade,
  dispatch_id text references dispatch,
  contacts integer not null,
  above integer not null,
  asked_for text not null check (asked_for in ('contacts', 'sum')),
  sum_contacts integer,
  sum_since timestamptz,
  idempotency_key text,
  requested_by text not null,
  requested_at timestamptz not null,
  outcome text check (outcome in ('approved', 'rejected', 'withdrawn')),
  decided_by text,
  decided_at timestamptz,
  reason text,
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null)),
  check (outcome is distinct from 'approved' or decided_by <> requested_by),
  constraint send_approval_sum_check check (
    (asked_for = 'sum') = (sum_contacts is not null) and (sum_contacts is null) = (sum_since is null))
);
comment on table send_approval is 'sends to more contacts than a tenant lets one person send to';
comment on column send_approval.dispatch_id is
  'the send that was stored, and is paused, because its audience was known only then; null: the campaign stays a draft until it is approved';
comment on column send_approval.asked_for is
  'contacts: the send alone is above the limit; sum: with what the same person sent within a day without approval, which sum_contacts counts';
comment on column send_approval.above is 'the limit of the tenant when approval was asked for';
create unique index send_approval_open on send_approval (campaign_id) where outcome is null;
create index send_approval_by_campaign on send_approval (campaign_id, requested_at desc);
create index send_approval_waiting on send_approval (tenant_id, requested_at) where outcome is null;
create trigger send_approval_revision after insert or update of outcome on send_approval
  for each row execute function take_revision_of_campaign();

create table variant_test (
  campaign_id text primary key references campaign on delete cascade,
  tenant_id text not null references tenant,
  dispatch_id text not null references dispatch,
  next_look_at timestamptz,
  asks_since timestamptz,
  chosen smallint,
  chosen_at timestamptz,
  chosen_by text,
  proven boolean,
  compared jsonb,
  constraint variant_test_chosen_check check (
    (chosen is null) = (chosen_at is null) and (chosen is null) = (chosen_by is null)
    and (chosen is null) = (proven is null))
);
comment on table variant_test is 'the test of a campaign''s variants, from its send on';
comment on column variant_test.next_look_at is 'when it is looked at next; null: it has ended';
comment on column variant_test.asks_since is 'since when an operator has to choose';
comment on column variant_test.chosen is 'the variant that the rest gets';
comment on column variant_test.compared is 'what was compared when it was chosen';
create index variant_test_due on variant_test (next_look_at) where next_look_at is not null;

-- The last dry run of a campaign, kept to report later how the audience of the send differs from it.
create table dry_run (
  dry_run_id text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null unique references campaign on delete cascade,
  source jsonb not null,
  audience_count integer not null,
  audience_hash text not null,
  created_by text not null,
  created_at timestamptz not null,
  forecast jsonb
);
comment on column dry_run.forecast is 'what its send is going to take';

-- Its contacts by class, in the order of a send. They are read only as a whole: lists are written and deleted
-- in a third of the time that a row for each contact would take. Which contacts a part spans is there so that a
-- page of the send is compared with the parts it overlaps alone.
create table dry_run_part (
  dry_run_id text not null references dry_run on delete cascade,
  class text not null,
  part integer not null,
  contact_ids text[] not null,
  first_id text not null,
  last_id text not null,
  primary key (dry_run_id, class, part)
);

-- How the frozen audience of a send differs from the dry run before it, recorded at the moment of sending. No foreign
-- key, as for chunks.
create table audience_drift (
  dispatch_id text not null,
  change text not null check (change in ('added', 'removed')),
  contact_id text not null,
  reason text not null,
  primary key (dispatch_id, change, contact_id)
) partition by range (dispatch_id);
create table audience_drift_rest partition of audience_drift default;
comment on table audience_drift is 'partitioned by month';

select add_month(parent, (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from unnest(array['dispatch_chunk', 'dispatch_control', 'audience_drift']) as parent, generate_series(0, 1) as n;

-- Test sends are not sub-tasks; they are kept so that their clicks are recognised. No reference to the
-- campaign: a draft can be deleted after its tests, whose clicks still arrive.
create table test_send (
  key text primary key,
  tenant_id text not null references tenant,
  campaign_id text not null,
  task_id text,
  contact_count integer not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
comment on column test_send.ended_at is 'the call came to an end; without a task_id nobody knows to which';
create index test_send_by_task on test_send (tenant_id, task_id) where task_id is not null;
