-- Automations that begin by time: on a day that an attribute names, or when a contact has come into a segment since the
-- look before. And those that begin with orders. All tables are small, or of the catalogue alone.

alter table automation add column next_look_at timestamptz;
comment on column automation.next_look_at is
  'the next moment at which contacts enter by a date or a segment; null: it begins with events, or is not active';

create table automation_member (
  automation_id text not null references automation on delete cascade,
  contact_id text not null,
  tenant_id text not null,
  primary key (automation_id, contact_id)
);
comment on table automation_member is 'who was in the segment of an automation at its last look';
create index automation_member_by_contact on automation_member (tenant_id, contact_id);

-- Nobody looks for what has ended.
create function end_automation_looks() returns trigger language plpgsql set search_path = outreach as $$
begin
  update automation set next_look_at = null where automation_id = new.campaign_id and next_look_at is not null;
  delete from automation_member where automation_id = new.campaign_id;
  return null;
end $$;
create trigger campaign_of_automation_looks_end after update of status on campaign
  for each row when (new.automation and old.status in ('sending', 'paused') and new.status in ('closed', 'cancelled'))
  execute function end_automation_looks();

-- Whom an order from a link is of: who it names, if the link's message went to that contact, else the only one that it
-- went to; null if neither says.
create function contact_of_order(r revenue_entry) returns text language sql stable set search_path = outreach as $$
  select case
      when k.contact_id is not null then case when k.contact_id = any(l.contact_ids) then k.contact_id end
      when cardinality(l.contact_ids) = 1 then l.contact_ids[1] end
  from broadcast_task t join dispatch_chunk l on l.dispatch_id = t.dispatch_id and l.chunk = t.chunk
    left join contact_revenue_entry k on k.tenant_id = r.tenant_id and k.movement = r.movement
  where t.tenant_id = r.tenant_id and t.key = r.sub_task_key
$$;

-- Whether an automation that is about orders takes this movement, whoever it is of.
create function takes_order(a automation, r revenue_entry) returns boolean language sql immutable as $$
  select a.event = case r.kind when 'payment' then 'order.paid' else 'order.refunded' end
    and (a.trigger -> 'minAmount' is null or (a.trigger ->> 'currency' = r.currency
      and abs(r.amount_minor) >= (a.trigger ->> 'minAmount')::numeric * 100))
$$;
