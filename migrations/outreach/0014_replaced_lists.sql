-- What a file has replaced in a list of contacts, so that it can be put back.
alter table audience add column replaced_at timestamptz;
comment on column audience.replaced_at is 'when the list in audience_replaced was replaced; null if none was';

-- One value a list: it is written and read as a whole only.
create table audience_replaced (
  audience_id text primary key references audience on delete cascade,
  contact_ids text[] not null
);
