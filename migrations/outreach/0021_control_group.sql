-- Contacts of a tenant that get no campaign, for comparison. Columns, defaults and the trigger are of the catalogue alone.
alter table tenant
  add column control_percent smallint,
  add column control_since timestamptz,
  add column control_key bigint,
  add constraint tenant_control_percent_check check (control_percent between 0 and 20) not valid;
comment on column tenant.control_percent is 'how many of a hundred contacts get no campaign; null: there is no such group';
comment on column tenant.control_since is 'since when at least its present members are in it; null: nobody is';
comment on column tenant.control_key is 'random; a hash of a contact''s id with it says who is in the group, and stays for good';
create or replace trigger tenant_revision before update of viewers_see_contact_panel, sends_need_approval, test_contacts,
    utm, quiet_hours, control_percent on tenant for each row
  when ((old.viewers_see_contact_panel, old.sends_need_approval, old.test_contacts, old.utm, old.quiet_hours,
    old.control_percent) is distinct from
    (new.viewers_see_contact_panel, new.sends_need_approval, new.test_contacts, new.utm, new.quiet_hours,
    new.control_percent))
  execute function take_revision();
