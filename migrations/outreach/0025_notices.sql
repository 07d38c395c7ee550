-- What a person is told of is read from the rows it is about, so it is there once, and gone when it is solved. Stored is what
-- a person has read, and does not want to hear of.

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

create index campaign_transition_noticed on campaign_transition (tenant_id, at)
  where to_status in ('paused', 'failed', 'partially_failed');
create index send_approval_asked on send_approval (tenant_id) where outcome is null;
create index send_approval_decided on send_approval (tenant_id, requested_by, decided_at) where outcome is not null;
create index variant_test_asks on variant_test (tenant_id) where asks_since is not null and chosen is null;
create index webhook_failing on webhook (tenant_id) where paused_for = 'failing';
