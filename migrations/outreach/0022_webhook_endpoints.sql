-- A tenant receives its events at up to ten endpoints, each with its types, and reads what it missed. Indexes of tables that
-- were there before are built by 0026_event_indexes.

alter table webhook
  add column endpoint_id uuid,
  add column paused_for text check (paused_for in ('operator', 'failing')),
  add column failing_since timestamptz,
  add column failures integer not null default 0,
  drop constraint webhook_pkey,
  add constraint webhook_failing_check check ((failing_since is null) = (failures = 0));
alter table webhook alter column endpoint_id set default gen_random_uuid();
update webhook set endpoint_id = gen_random_uuid();
alter table webhook alter column endpoint_id set not null;
comment on table webhook is 'endpoints where a tenant receives its events; without one, and unless they are read, none are written';
comment on column webhook.paused_for is 'null while events are sent to it; what waits is sent once it is active again';
comment on column webhook.failing_since is 'the first of the attempts since the last accepted one, all of which failed';
drop trigger webhook_revision on webhook;
create trigger webhook_revision before update of url, event_types, sealed_secret, paused_for on webhook for each row
  when ((old.url, old.event_types, old.sealed_secret, old.paused_for) is distinct from
    (new.url, new.event_types, new.sealed_secret, new.paused_for))
  execute function take_revision();

create table event_reader (
  tenant_id text primary key references tenant,
  since timestamptz not null default now()
);
comment on table event_reader is 'tenants that have read their events: they are written for them from then on';

create sequence outgoing_event_position;
alter table outgoing_event add column position bigint;
comment on column outgoing_event.position is
  'its place in the list of events; given when the list is read, so that an event that is committed late never comes before one that was read. It grows no more';

alter table delivery add column endpoint_id uuid;
update delivery d set endpoint_id = coalesce((select w.endpoint_id from webhook w where w.tenant_id = d.tenant_id),
  gen_random_uuid());
alter table delivery
  alter column endpoint_id set not null,
  drop constraint delivery_event_id_key;
comment on column delivery.stream is
  'a campaign, or what else its event is about: at one endpoint, events of a stream are delivered in the order of their positions';

-- Whether anybody wants a tenant's events of the type. Endpoints that do stay until the end of the transaction: the removal
-- of one waits, and finds every event that was written for it.
create or replace function wants_event(tenant text, of_type text) returns boolean language plpgsql
  set search_path = outreach as $$
begin
  perform 1 from webhook where tenant_id = tenant and of_type = any(event_types) for key share;
  return found or exists (select from event_reader where tenant_id = tenant);
end $$;

-- Whether anybody wants events of the tenant at all.
create function has_event_readers(tenant text) returns boolean language sql stable
  set search_path = outreach as $$
  select exists (select from webhook where tenant_id = tenant) or exists (select from event_reader where tenant_id = tenant)
$$;

-- An event that is due in `after` at each endpoint that wants it. The callers have asked `wants_event`.
create or replace function write_outgoing_event(tenant text, of_stream text, of_type text, of_data jsonb, key text,
  amount integer, after interval) returns uuid language plpgsql
  set search_path = outreach as $$
declare id uuid := gen_random_uuid();
begin
  insert into outgoing_event (event_id, tenant_id, type, data, batch_key, contacts)
  values (id, tenant, of_type, of_data, key, amount);
  insert into delivery (delivery_id, event_id, tenant_id, endpoint_id, stream, next_attempt_at)
  select gen_random_uuid(), id, tenant, w.endpoint_id, of_stream, clock_timestamp() + after
  from webhook w where w.tenant_id = tenant and of_type = any(w.event_types)
  order by w.created_at, w.endpoint_id for key share;
  return id;
end $$;

-- Adds contacts to the newest event of their kind, unless it is full (500), was read, or was sent to any endpoint or is
-- being: one that is locked is being claimed, or written to by somebody else, and nobody waits for it. So a receiver that
-- is slow, or away, gets fewer and larger events, and a busy campaign no more than one in two seconds.
create or replace function collect_outgoing(tenant text, of_stream text, of_type text, of_data jsonb, key text,
  ids text[], of_items jsonb) returns void language plpgsql
  set search_path = outreach as $$
declare
  open_event uuid;
  amount integer := cardinality(ids);
begin
  select e.event_id into open_event from (
      select event_id from outgoing_event where tenant_id = tenant and batch_key = key order by created_at desc limit 1) newest
    join outgoing_event e on e.event_id = newest.event_id
    where e.contacts + amount <= 500 and e.position is null
    for update of e skip locked;
  if open_event is not null and (select count(*) from delivery where event_id = open_event) > (
      select count(*) from (select 1 from delivery where event_id = open_event and attempts = 0 and status = 'pending'
        for update skip locked) unsent) then
    open_event := null;
  end if;
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
create or replace function tell_clicks() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
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

create or replace function tell_tags() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
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

-- A campaign has ended, each time: a retry begins it anew. One that failed or was cancelled is told of by that name, too.
create or replace function tell_completed() returns trigger language plpgsql set search_path = outreach as $$
declare
  of_type text;
  s record;
begin
  foreach of_type in array array['campaign.completed', 'campaign.failed', 'campaign.cancelled'] loop
    continue when new.automation or of_type <> 'campaign.completed' and of_type <> 'campaign.' || new.status
      or not wants_event(new.tenant_id, of_type);
    select coalesce(sum(contact_count), 0) as contacts, coalesce(sum(sent), 0) as sent,
        coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed,
        coalesce(sum(read), 0) as read, count(*) as sub_tasks,
        count(*) filter (where status = 'unknown') as unknown,
        count(*) filter (where status in ('rejected', 'failed')) as rejected
      into s from broadcast_task where campaign_id = new.campaign_id and superseded_by is null;
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'name', new.name, 'status', new.status,
      'finishedAt', to_char(new.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'contacts', s.contacts, 'sent', s.sent, 'delivered', s.delivered, 'failed', s.failed, 'read', s.read,
      'subTasks', s.sub_tasks, 'unknown', s.unknown, 'rejected', s.rejected),
      null, null, interval '0');
  end loop;
  return null;
end $$;

-- A draft is sent at a later time, or what is sent is paused, by a person or the service itself. What an automation sends is
-- the campaign with its id.
create function tell_standing() returns trigger language plpgsql set search_path = outreach as $$
declare of_type text := case when new.automation then 'automation.' else 'campaign.' end || new.status;
begin
  if wants_event(new.tenant_id, of_type) then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object('tenantId', new.tenant_id,
      case when new.automation then 'automationId' else 'campaignId' end, new.campaign_id, 'name', new.name)
      || case new.status when 'paused' then jsonb_build_object('reason', new.pause_reason)
           else jsonb_build_object('at', new.schedule ->> 'at') end,
      null, null, interval '0');
  end if;
  return null;
end $$;
create trigger campaign_standing_told after update of status on campaign
  for each row when ((old.status = 'draft' and new.status = 'scheduled')
    or (old.status <> 'paused' and new.status = 'paused')) execute function tell_standing();

create function tell_approval() returns trigger language plpgsql set search_path = outreach as $$
declare of_type text := case when tg_op = 'INSERT' then 'approval.requested' else 'approval.decided' end;
begin
  if wants_event(new.tenant_id, of_type) then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'approvalId', new.approval_id,
      'contacts', new.contacts, 'above', new.above, 'requestedBy', new.requested_by)
      || case when tg_op = 'INSERT' then '{}' else jsonb_build_object('outcome', new.outcome,
           'decidedBy', new.decided_by, 'reason', new.reason) end,
      null, null, interval '0');
  end if;
  return null;
end $$;
create trigger send_approval_requested after insert on send_approval for each row execute function tell_approval();
create trigger send_approval_decided after update of outcome on send_approval
  for each row when (old.outcome is null and new.outcome is not null) execute function tell_approval();

create function told_opened(contact_id text, session_id text, opened_at timestamptz) returns jsonb language sql immutable
  as $$
  select jsonb_build_object('contactId', contact_id, 'sessionId', session_id,
    'openedAt', to_char(opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
create function told_closed(contact_id text, session_id text, closed_at timestamptz, message_count integer) returns jsonb
  language sql immutable as $$
  select jsonb_build_object('contactId', contact_id, 'sessionId', session_id,
    'closedAt', to_char(closed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'messageCount', message_count)
$$;

-- Of one service number, or campaign, 500 conversations go into one event.
create function collect_conversations(tenant text, of_type text, told jsonb) returns void language plpgsql
  set search_path = outreach as $$
declare g record;
begin
  for g in
    select service_number, campaign, array_agg(item ->> 'contactId') as ids, jsonb_agg(item) as items
    from (select t ->> 'serviceNumberId' as service_number, t ->> 'campaignId' as campaign, t -> 'item' as item,
            (row_number() over (partition by t ->> 'serviceNumberId', t ->> 'campaignId') - 1) / 500 as batch
          from jsonb_array_elements(told) t) numbered
    group by service_number, campaign, batch order by service_number, campaign, batch
  loop
    perform collect_outgoing(tenant, coalesce(g.campaign, 'conversations ' || g.service_number), of_type,
      jsonb_build_object('tenantId', tenant, 'serviceNumberId', g.service_number, 'campaignId', g.campaign),
      of_type || ' ' || jsonb_build_array(g.service_number, g.campaign)::text, g.ids, g.items);
  end loop;
end $$;

-- A conversation began: of one that is stored with its end, that is told, too.
create function tell_opened() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
  of_type text;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    foreach of_type in array array['conversation.opened', 'conversation.closed'] loop
      continue when not wants_event(tenant, of_type);
      perform collect_conversations(tenant, of_type, (
        select jsonb_agg(jsonb_build_object('serviceNumberId', a.service_number_id, 'campaignId', a.campaign_id,
          'item', case of_type when 'conversation.opened' then told_opened(a.contact_id, a.session_id, a.opened_at)
            else told_closed(a.contact_id, a.session_id, a.closed_at, a.message_count) end)
          order by a.opened_at, a.session_id)
        from added a
        where a.tenant_id = tenant and (of_type = 'conversation.opened' or a.closed_at is not null)));
    end loop;
  end loop;
  return null;
end $$;
create trigger conversation_opened_told after insert on conversation
  referencing new table as added for each statement execute function tell_opened();

create function tell_closed() returns trigger language plpgsql set search_path = outreach as $$
declare
  tenant text;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    continue when not wants_event(tenant, 'conversation.closed');
    perform collect_conversations(tenant, 'conversation.closed', (
      select jsonb_agg(jsonb_build_object('serviceNumberId', a.service_number_id, 'campaignId', a.campaign_id,
        'item', told_closed(a.contact_id, a.session_id, a.closed_at, a.message_count)) order by a.closed_at, a.session_id)
      from added a join gone o using (tenant_id, session_id)
      where a.tenant_id = tenant and o.closed_at is null and a.closed_at is not null));
  end loop;
  return null;
end $$;
create trigger conversation_closed_told after update on conversation
  referencing old table as gone new table as added for each statement execute function tell_closed();

create function tell_unfollowed() returns trigger language plpgsql set search_path = outreach as $$
begin
  if wants_event(new.tenant_id, 'contact.unfollowed') then
    perform collect_outgoing(new.tenant_id, 'contacts ' || new.service_number_id, 'contact.unfollowed',
      jsonb_build_object('tenantId', new.tenant_id, 'serviceNumberId', new.service_number_id),
      'contact.unfollowed ' || new.service_number_id, array[new.contact_id],
      jsonb_build_array(jsonb_build_object('contactId', new.contact_id,
        'unfollowedAt', to_char(new.last_event_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))));
  end if;
  return null;
end $$;
create trigger contact_profile_unfollowed_told after update of follow_state on contact_profile
  for each row when (old.follow_state = 'following' and new.follow_state = 'unfollowed') execute function tell_unfollowed();

-- A contact has entered an automation: it waits for its first step.
create function tell_entered() returns trigger language plpgsql set search_path = outreach as $$
begin
  if wants_event(new.tenant_id, 'automation.entered') then
    perform collect_outgoing(new.tenant_id, new.automation_id, 'automation.entered',
      jsonb_build_object('tenantId', new.tenant_id, 'automationId', new.automation_id),
      'automation.entered ' || new.automation_id, array[new.contact_id],
      jsonb_build_array(jsonb_build_object('contactId', new.contact_id, 'entryId', new.entry_id,
        'enteredAt', to_char(new.entered_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'cause', new.cause)));
  end if;
  return null;
end $$;
create trigger automation_entry_told after update of decided_at on automation_entry
  for each row when (old.decided_at is null and new.decided_at is not null and new.status = 'waiting')
  execute function tell_entered();
