-- Whose rights are limited to some service numbers, and what that hides. The conditions hold for the role of those whose
-- rights are limited and for nobody else: plans and costs of every other statement stay as they are.

create table service_number_right (
  tenant_id text not null references tenant,
  actor text not null,
  service_number_ids text[] not null,
  primary key (tenant_id, actor)
);
comment on table service_number_right is 'whoever has no row here sees every service number';
comment on column service_number_right.actor is 'a user, also one who never signed in, or key:<id>';

-- Those of the caller. Fails where nobody set them, so that a connection without them sees nothing.
create function own_service_numbers() returns text[] language sql stable as $$
  select current_setting('outreach.service_numbers')::text[]
$$;

-- The role is given to the policy with the rights of the services (db/provision.ts): its name is not known here.
create function limit_rows(target text, condition text) returns void language plpgsql set search_path = outreach as $$
begin
  execute format('alter table %I enable row level security', target);
  execute format('create policy everybody on %I using (true)', target);
  execute format('create policy own_service_numbers on %I as restrictive for select to current_user using (%s)',
    target, condition);
end $$;

-- Rows that name their service number.
create function limit_by_number(target text) returns void language sql set search_path = outreach as $$
  select limit_rows(target, 'service_number_id = any ((select own_service_numbers())::text[])')
$$;

-- Rows of an object whose own rows are limited.
create function limit_by_owner(target text, owner text, owner_key text, own_key text default null)
  returns void language sql set search_path = outreach as $$
  select limit_rows(target, format('exists (select from %I o where o.%I = %I.%I)', owner, owner_key, target,
    coalesce(own_key, owner_key)))
$$;

select limit_by_number(name) from unnest(array['audience', 'audience_count', 'campaign', 'campaign_repeat', 'click_quarter',
  'clicked_day', 'clicked_hour', 'clicker_tagging', 'contact_event', 'contact_profile', 'contact_profile_past',
  'contact_revenue_entry',
  'dispatch_reach', 'event_inbox', 'service_number_catalog', 'tag']) as name;
select limit_by_owner(name, 'campaign', 'campaign_id') from unnest(array['broadcast_task', 'broadcast_task_past',
  'button_clicks', 'campaign_clicks', 'campaign_edit', 'campaign_revenue', 'campaign_step', 'campaign_transition',
  'click_attribution', 'click_hour', 'conversation_hour', 'conversion_hour', 'dispatch', 'dry_run', 'entry_source',
  'event_code_clicks', 'revenue_difference', 'revenue_entry', 'send_approval', 'test_send', 'variant_test']) as name;
select limit_by_owner('automation', 'campaign', 'campaign_id', 'automation_id');
select limit_by_owner('automation_entry', 'automation', 'automation_id');
select limit_by_owner('automation_step', 'automation_entry', 'entry_id');
select limit_by_owner(name, 'tag', 'tag_id') from unnest(array['tag_assignment', 'tag_assignment_past']) as name;
select limit_by_owner('smart_tag_rule', 'tag', 'tag_id', 'target_tag_id');
select limit_rows('conversation', 'case when service_number_id is null
  then exists (select from campaign o where o.campaign_id = conversation.campaign_id)
  else service_number_id = any ((select own_service_numbers())::text[]) end');
-- An event tells what it is about.
select limit_rows('outgoing_event', 'case
  when data ->> ''serviceNumberId'' is not null then data ->> ''serviceNumberId'' = any ((select own_service_numbers())::text[])
  when coalesce(data ->> ''campaignId'', data ->> ''automationId'') is not null then exists (select from campaign o
    where o.campaign_id = coalesce(data ->> ''campaignId'', data ->> ''automationId''))
  when data ->> ''tagId'' is not null then exists (select from tag o where o.tag_id = data ->> ''tagId'')
  else true end');
-- Templates without a number are everybody's.
select limit_rows('template',
  'service_number_id is null or service_number_id = any ((select own_service_numbers())::text[])');

-- What an entry is about is noted with it: the object may be gone when somebody looks.
alter table audit_log add column service_number_id text;
comment on column audit_log.service_number_id is
  'what it is about; empty: no service number; null: several, one that is not known, or an entry from before this column';
select limit_rows('audit_log', 'service_number_id = '''' or service_number_id = any ((select own_service_numbers())::text[])');

create function number_of_audited() returns trigger language plpgsql
  security definer set search_path = outreach, pg_temp as $$
declare
  named text[];
begin
  new.service_number_id := case case new.object_type when 'automation' then 'campaign' else new.object_type end
    when 'campaign' then (select service_number_id from campaign
      where campaign_id = new.object_id and tenant_id = new.tenant_id)
    when 'sub_task' then (select c.service_number_id from broadcast_task t join campaign c using (campaign_id)
      where t.key = new.object_id and t.tenant_id = new.tenant_id)
    when 'audience' then (select service_number_id from audience
      where audience_id = new.object_id and tenant_id = new.tenant_id)
    when 'tag' then (select service_number_id from tag where tag_id = new.object_id and tenant_id = new.tenant_id)
    when 'smart_tag_rule' then (select t.service_number_id from smart_tag_rule r join tag t on t.tag_id = r.target_tag_id
      where r.rule_id = new.object_id and r.tenant_id = new.tenant_id)
    when 'repeat' then (select service_number_id from campaign_repeat
      where repeat_id = new.object_id and tenant_id = new.tenant_id)
    when 'template' then (select coalesce(service_number_id, '') from template
      where template_id = new.object_id and tenant_id = new.tenant_id)
    when 'event' then (select min(service_number_id) from event_inbox
      where event_id = new.object_id and tenant_id = new.tenant_id having count(*) = count(service_number_id)) end;
  if new.service_number_id is not null then return new; end if;
  -- It is gone, or is none that has a number: what is written about it says which.
  named := array(select distinct n #>> '{}'
    from jsonb_build_array(new.before, new.after) as written cross join unnest(array['$.**.serviceNumberId',
      '$.**.serviceNumberIds[*]']::jsonpath[]) as path cross join jsonb_path_query(written, path) as n
    where jsonb_typeof(n) = 'string');
  new.service_number_id := case
    when cardinality(named) = 1 then named[1]
    when cardinality(named) > 1 or new.object_type = 'event' then null
    when new.object_type in ('automation', 'campaign', 'sub_task', 'audience', 'tag', 'smart_tag_rule', 'repeat', 'template') then
      (select a.service_number_id from audit_log a where a.tenant_id = new.tenant_id
        and a.object_type = new.object_type and a.object_id = new.object_id order by a.at desc limit 1)
    else '' end;
  return new;
end $$;
create trigger audit_log_number before insert on audit_log for each row execute function number_of_audited();
