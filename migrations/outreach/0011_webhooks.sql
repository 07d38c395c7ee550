-- Events out to a tenant. Triggers write them in the transaction of what they report: many statements change a
-- status, and with a trigger none of them can omit it. Without a webhook each is one look at an empty table.

-- Where a tenant receives its events. Without a row it has none, and none are written.
create table webhook (
  tenant_id text primary key references tenant,
  url text not null,
  event_types text[] not null,
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision bigint not null default nextval('revision'),
  check ((previous_sealed_secret is null) = (previous_until is null))
);
create trigger webhook_revision before update of url, event_types, sealed_secret on webhook for each row
  when ((old.url, old.event_types, old.sealed_secret) is distinct from
    (new.url, new.event_types, new.sealed_secret))
  execute function take_revision();
comment on column webhook.sealed_secret is 'encrypted; the context names the tenant';
comment on column webhook.previous_sealed_secret is
  'signs as well until previous_until, so that a receiver has time for the new one';

-- Whether the tenant wants events of the type; if so, its webhook stays until the end of the transaction: its
-- removal waits, and finds every event that was written for it.
create function wants_event(tenant text, of_type text) returns boolean language plpgsql
  set search_path = outreach as $$
begin
  perform 1 from webhook where tenant_id = tenant and of_type = any(event_types) for key share;
  return found;
end $$;

create table outgoing_event (
  event_id uuid primary key,
  tenant_id text not null references tenant,
  type text not null,
  data jsonb not null,
  -- Of an event that collects what happens to many contacts: what they have in common.
  batch_key text,
  contacts integer,
  created_at timestamptz not null default clock_timestamp(),
  check ((batch_key is null) = (contacts is null))
);
comment on column outgoing_event.batch_key is
  'further contacts join the newest event with the same one, until it is sent for the first time';
create index outgoing_event_batch on outgoing_event (tenant_id, batch_key, created_at desc) where batch_key is not null;

create table outgoing_event_part (
  event_id uuid not null references outgoing_event on delete cascade,
  part integer not null,
  tenant_id text not null,
  contact_ids text[] not null,
  items jsonb not null,
  primary key (event_id, part)
);
comment on table outgoing_event_part is
  'the contacts of an event, a few at a time: an event grows without being written anew';
create index outgoing_event_part_contacts on outgoing_event_part using gin (contact_ids);

create table delivery (
  delivery_id uuid primary key,
  event_id uuid not null unique references outgoing_event,
  tenant_id text not null,
  stream text not null,
  position bigint generated always as identity,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz,
  trying_since timestamptz,
  leased_until timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (status = 'pending' or (next_attempt_at is null and settled_at is not null))
);
comment on column delivery.stream is
  'a campaign, or a tag that no campaign has led to: its events are delivered in the order of their positions';
comment on column delivery.attempts is 'raised by every claim; an outcome counts only for the claim it belongs to';
comment on column delivery.trying_since is 'the first attempt, or the first since somebody asked for a redelivery';
comment on column delivery.settled_at is
  'when it was first delivered or given up; a redelivery does not hold back the events after it';
create index delivery_due on delivery (tenant_id, next_attempt_at) where status = 'pending';
create index delivery_leased on delivery (tenant_id) where leased_until is not null;
create index delivery_open on delivery (status, created_at) where status <> 'delivered';
create index delivery_by_tenant on delivery (tenant_id, position desc);
create index delivery_of_stream on delivery (tenant_id, stream, position) where settled_at is null;
create index delivery_ended on delivery ((greatest(settled_at, trying_since))) where status <> 'pending';

-- An event that is due in `after`. The callers have asked `wants_event`.
create function write_outgoing_event(tenant text, of_stream text, of_type text, of_data jsonb, key text, amount integer,
  after interval) returns uuid language plpgsql
  set search_path = outreach as $$
declare id uuid := gen_random_uuid();
begin
  insert into outgoing_event (event_id, tenant_id, type, data, batch_key, contacts)
  values (id, tenant, of_type, of_data, key, amount);
  insert into delivery (delivery_id, event_id, tenant_id, stream, next_attempt_at)
  values (gen_random_uuid(), id, tenant, of_stream, clock_timestamp() + after);
  return id;
end $$;

-- Adds contacts to the newest event of their kind, unless it was sent, is being sent or is full (500): one that
-- is locked is being claimed, or written to by somebody else, and nobody waits for it. So a receiver that is
-- slow, or away, gets fewer and larger events, and a busy campaign no more than one in two seconds.
create function collect_outgoing(tenant text, of_stream text, of_type text, of_data jsonb, key text, ids text[],
  of_items jsonb) returns void language plpgsql
  set search_path = outreach as $$
declare
  open_event uuid;
  amount integer := cardinality(ids);
begin
  select e.event_id into open_event from (
      select event_id, contacts from outgoing_event
      where tenant_id = tenant and batch_key = key order by created_at desc limit 1) e
    join delivery d on d.event_id = e.event_id
    where d.attempts = 0 and d.status = 'pending' and e.contacts + amount <= 500
    for update of d skip locked;
  if open_event is null then
    open_event := write_outgoing_event(tenant, of_stream, of_type, of_data, key, amount, interval '2 seconds');
  else
    update outgoing_event set contacts = contacts + amount where event_id = open_event;
  end if;
  insert into outgoing_event_part (event_id, part, tenant_id, contact_ids, items)
  select open_event, coalesce(max(part), 0) + 1, tenant, ids, of_items
  from outgoing_event_part where event_id = open_event;
end $$;

-- Whoever is in the same statement beyond 500 gets an event of their own.
create function tell_clicks() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a join webhook w on w.tenant_id = a.tenant_id order by 1 loop
    continue when not wants_event(tenant, 'contact.clicked');
    for g in
      select campaign_id, array_agg(contact_id) as ids, jsonb_agg(jsonb_build_object('contactId', contact_id,
        'clickedAt', to_char(clicked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'messageIndex', message_index, 'actionIndex', action_index, 'bizEventCode', biz_event_code,
        'taskId', task_id, 'noticeId', notice_id)) as items
      from (select *, (row_number() over (partition by campaign_id order by clicked_at, contact_id) - 1) / 500 as batch
            from added a where a.tenant_id = tenant) numbered
      group by campaign_id, batch order by campaign_id, batch
    loop
      perform collect_outgoing(tenant, g.campaign_id, 'contact.clicked',
        jsonb_build_object('tenantId', tenant, 'campaignId', g.campaign_id), 'contact.clicked ' || g.campaign_id,
        g.ids, g.items);
    end loop;
  end loop;
  return null;
end $$;
create trigger click_attribution_told after insert on click_attribution
  referencing new table as added for each statement execute function tell_clicks();

create function tell_tags() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a join webhook w on w.tenant_id = a.tenant_id order by 1 loop
    continue when not wants_event(tenant, 'contact.tagged');
    for g in
      select n.tag_id, t.name, n.campaign, n.source_rule_id, n.assigned_by, array_agg(n.contact_id) as ids,
        jsonb_agg(jsonb_build_object('contactId', n.contact_id,
          'taggedAt', to_char(n.assigned_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as items
      from (select a.*, a.source_campaign_id as campaign, (row_number() over (partition by a.tag_id, a.source_campaign_id,
              a.source_rule_id, a.assigned_by order by a.assigned_at, a.contact_id) - 1) / 500 as batch
            from added a where a.tenant_id = tenant) n
        join tag t on t.tag_id = n.tag_id
      group by n.tag_id, t.name, n.campaign, n.source_rule_id, n.assigned_by, n.batch order by n.tag_id, n.batch
    loop
      perform collect_outgoing(tenant, coalesce(g.campaign, 'tag ' || g.tag_id), 'contact.tagged',
        jsonb_build_object('tenantId', tenant, 'tagId', g.tag_id, 'tagName', g.name, 'campaignId', g.campaign,
          'ruleId', g.source_rule_id, 'taggedBy', g.assigned_by),
        'contact.tagged ' || jsonb_build_array(g.tag_id, g.campaign, g.source_rule_id, g.assigned_by)::text,
        g.ids, g.items);
    end loop;
  end loop;
  return null;
end $$;
create trigger tag_assignment_told after insert on tag_assignment
  referencing new table as added for each statement execute function tell_tags();

-- A sub-task becomes unknown, each time. Triggers run by name: before the one that may tell that it was the last.
create function tell_unknown() returns trigger language plpgsql set search_path = outreach as $$
begin
  if wants_event(new.tenant_id, 'subtask.unknown') then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, 'subtask.unknown', jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'dispatchId', new.dispatch_id, 'subTaskKey', new.key,
      'contacts', new.contact_count, 'reason', new.error_code), null, null, interval '0');
  end if;
  return null;
end $$;
create trigger broadcast_task_became_unknown after update of status on broadcast_task
  for each row when (new.status = 'unknown' and old.status <> 'unknown') execute function tell_unknown();

create table outgoing_sent (
  dispatch_id text primary key references dispatch on delete cascade,
  tenant_id text not null
);
comment on table outgoing_sent is 'sends whose event campaign.sent was written';

-- A send is out once nothing of it waits for us or for its time, and the platform has something of it.
-- Sub-tasks end in transactions that do not wait for each other, so the last one is found under a lock; a send
-- is told of once.
create function tell_sent() returns trigger language plpgsql set search_path = outreach as $$
declare
  s record;
begin
  if not wants_event(new.tenant_id, 'campaign.sent') then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('outgoing_sent ' || new.dispatch_id, 0));
  select c.name, d.number, d.retry_of is not null as retry, count(*) as sub_tasks, sum(t.contact_count) as contacts,
      count(*) filter (where t.status in ('pending', 'submitting', 'scheduled')) as open,
      count(*) filter (where t.status in ('sending', 'completed')) as out,
      count(*) filter (where t.status = 'unknown') as unknown,
      count(*) filter (where t.status in ('rejected', 'failed')) as rejected,
      coalesce(sum(t.contact_count) filter (where t.status in ('sending', 'completed')), 0) as submitted
    into s
    from dispatch d join campaign c using (campaign_id) join broadcast_task t on t.dispatch_id = d.dispatch_id
    where d.dispatch_id = new.dispatch_id and d.frozen_at is not null group by c.name, d.number, d.retry_of;
  if not found or s.open > 0 or s.out = 0 then return null; end if;
  insert into outgoing_sent (dispatch_id, tenant_id) values (new.dispatch_id, new.tenant_id) on conflict do nothing;
  if found then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, 'campaign.sent', jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'name', s.name, 'dispatchId', new.dispatch_id,
      'send', s.number, 'retry', s.retry, 'contacts', s.contacts, 'submitted', s.submitted, 'subTasks', s.sub_tasks,
      'unknown', s.unknown, 'rejected', s.rejected), null, null, interval '0');
  end if;
  return null;
end $$;
create trigger broadcast_task_sent after update of status on broadcast_task
  for each row
  when (new.status is distinct from old.status and new.status not in ('pending', 'submitting', 'scheduled'))
  execute function tell_sent();

-- A campaign has ended, each time: a retry begins it anew.
create function tell_completed() returns trigger language plpgsql set search_path = outreach as $$
declare
  s record;
begin
  if wants_event(new.tenant_id, 'campaign.completed') then
    select coalesce(sum(contact_count), 0) as contacts, coalesce(sum(sent), 0) as sent,
        coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed,
        coalesce(sum(read), 0) as read, count(*) as sub_tasks,
        count(*) filter (where status = 'unknown') as unknown,
        count(*) filter (where status in ('rejected', 'failed')) as rejected
      into s from broadcast_task where campaign_id = new.campaign_id and superseded_by is null;
    perform write_outgoing_event(new.tenant_id, new.campaign_id, 'campaign.completed', jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'name', new.name, 'status', new.status,
      'finishedAt', to_char(new.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'contacts', s.contacts, 'sent', s.sent, 'delivered', s.delivered, 'failed', s.failed, 'read', s.read,
      'subTasks', s.sub_tasks, 'unknown', s.unknown, 'rejected', s.rejected),
      null, null, interval '0');
  end if;
  return null;
end $$;
create trigger campaign_told after update of finished_at on campaign
  for each row when (old.finished_at is null and new.finished_at is not null) execute function tell_completed();
