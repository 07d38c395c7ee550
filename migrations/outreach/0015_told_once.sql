-- Whether a send is out is looked at once a statement, not for each sub-task that it changes: a cancel of 10,000 sub-tasks
-- added up all 10,000 as many times. Locks broadcast_task for a moment, whatever its size.
create or replace function tell_sent() returns trigger language plpgsql set search_path = outreach as $$
declare
  d record;
  s record;
begin
  for d in
    select distinct m.tenant_id, m.campaign_id, m.dispatch_id
    from (select tenant_id, campaign_id, dispatch_id, status, 1 as n from added
      union all select tenant_id, campaign_id, dispatch_id, status, -1 from gone) m
    where m.status not in ('pending', 'submitting', 'scheduled')
      and not exists (select from outgoing_sent o where o.dispatch_id = m.dispatch_id)
    group by m.tenant_id, m.campaign_id, m.dispatch_id, m.status having sum(m.n) > 0
    order by m.dispatch_id
  loop
    continue when not wants_event(d.tenant_id, 'campaign.sent');
    -- Sub-tasks end in transactions that do not wait for each other: the last one is found under this lock.
    perform pg_advisory_xact_lock(hashtextextended('outgoing_sent ' || d.dispatch_id, 0));
    -- A condition of each index, so that nothing of what has ended is read.
    continue when exists (select from broadcast_task
        where dispatch_id = d.dispatch_id and status in ('pending', 'submitting'))
      or exists (select from broadcast_task
        where campaign_id = d.campaign_id and dispatch_id = d.dispatch_id and status = 'scheduled');
    select c.name, x.number, x.retry_of is not null as retry, count(*) as sub_tasks, sum(t.contact_count) as contacts,
        count(*) filter (where t.status in ('sending', 'completed')) as out,
        count(*) filter (where t.status = 'unknown') as unknown,
        count(*) filter (where t.status in ('rejected', 'failed')) as rejected,
        coalesce(sum(t.contact_count) filter (where t.status in ('sending', 'completed')), 0) as submitted
      into s
      from dispatch x join campaign c using (campaign_id) join broadcast_task t on t.dispatch_id = x.dispatch_id
      where x.dispatch_id = d.dispatch_id and x.frozen_at is not null group by c.name, x.number, x.retry_of;
    continue when not found or s.out = 0;
    insert into outgoing_sent (dispatch_id, tenant_id) values (d.dispatch_id, d.tenant_id) on conflict do nothing;
    if found then
      perform write_outgoing_event(d.tenant_id, d.campaign_id, 'campaign.sent', jsonb_build_object(
        'tenantId', d.tenant_id, 'campaignId', d.campaign_id, 'name', s.name, 'dispatchId', d.dispatch_id,
        'send', s.number, 'retry', s.retry, 'contacts', s.contacts, 'submitted', s.submitted, 'subTasks', s.sub_tasks,
        'unknown', s.unknown, 'rejected', s.rejected), null, null, interval '0');
    end if;
  end loop;
  return null;
end $$;
create or replace trigger broadcast_task_sent after update on broadcast_task
  referencing old table as gone new table as added for each statement execute function tell_sent();
