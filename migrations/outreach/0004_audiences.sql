-- Saved audiences: lists of contacts, combinations of tags, and segments.

create table audience (
  audience_id text primary key,
  tenant_id text not null references tenant,
  service_number_id text not null,
  name text not null,
  type text not null,
  app_tag_ids text[] not null default '{}',
  tag_operator text check (tag_operator in ('AND', 'OR')),
  exclude_tag_ids text[] not null default '{}',
  member_count integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  collecting jsonb,
  segment jsonb,
  take jsonb,
  contents bigint not null default nextval('revision'),
  revision bigint not null default nextval('revision'),
  constraint audience_type_check
    check (type in ('contacts', 'app_tags', 'segment') and (type = 'segment') = (segment is not null)
      and (type <> 'contacts' or take is null))
);
comment on column audience.contents is 'another value with each list of contacts that replaces the former';
create trigger audience_revision before update of name, app_tag_ids, tag_operator, exclude_tag_ids, segment, take,
    contents on audience for each row
  when ((old.name, old.app_tag_ids, old.tag_operator, old.exclude_tag_ids, old.segment, old.take, old.contents) is distinct from
    (new.name, new.app_tag_ids, new.tag_operator, new.exclude_tag_ids, new.segment, new.take, new.contents))
  execute function take_revision();
comment on column audience.collecting is
  'from which campaign the list is being filled and how far that is; null once it is complete';
comment on column audience.segment is 'conditions and groups of a segment; ids of tags and campaigns, none of contacts';
comment on column audience.take is 'the sample that campaigns which name the filter draw; null: all whom it reaches';
create index audience_by_tenant on audience (tenant_id, created_at desc, audience_id desc);
create index audience_collecting on audience (updated_at) where collecting is not null;

-- No foreign key: a list of a million contacts would check a million times that its one audience exists. Members are
-- written and deleted only with their audience's row locked.
create table audience_member (
  audience_id text not null,
  contact_id text not null,
  primary key (audience_id, contact_id)
);

-- A large audience is counted by the preview; the send that follows compares with that.
create table audience_count (
  tenant_id text not null references tenant,
  service_number_id text not null,
  definition text not null,
  counts jsonb not null,
  counted_at timestamptz not null,
  primary key (tenant_id, service_number_id, definition)
);
comment on table audience_count is 'the last count of each audience that is too large to be counted by :send';
comment on column audience_count.definition is 'SHA-256 of what defines the audience, hexadecimal';
