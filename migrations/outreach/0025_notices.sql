-- What a person is told of is read from the rows it is about, so it is there once, and gone when it is solved. Stored is what
-- a person has read, and does not want to hear of. The indexes are built by 0026_event_indexes.

create table notice_reader (
  tenant_id text not null references tenant,
  user_id text not null,
  muted text[] not null default '{}',
  read_until timestamptz,
  read_at timestamptz,
  primary key (tenant_id, user_id),
  check ((read_until is null) = (read_at is null))
);
comment on column notice_reader.muted is 'kinds of notices that the person has switched off';
