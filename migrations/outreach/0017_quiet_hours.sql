-- Quiet hours that new campaigns of a tenant get. The column and the trigger are of the catalogue alone.
alter table tenant add column quiet_hours jsonb;
comment on column tenant.quiet_hours is
  'when nothing of new campaigns is submitted, unless they say otherwise: {from, to, zone}; null: they go out at any time';
create or replace trigger tenant_revision before update of viewers_see_contact_panel, sends_need_approval, test_contacts,
    utm, quiet_hours on tenant for each row
  when ((old.viewers_see_contact_panel, old.sends_need_approval, old.test_contacts, old.utm, old.quiet_hours)
    is distinct from
    (new.viewers_see_contact_panel, new.sends_need_approval, new.test_contacts, new.utm, new.quiet_hours))
  execute function take_revision();
