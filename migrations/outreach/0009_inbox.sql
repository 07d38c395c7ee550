-- Events of the platform, from their arrival on.

create table event_inbox (
  tenant_integration_id text not null references tenant_integration,
  event_id text not null,
  tenant_id text not null references tenant,
  event_type text not null,
  service_number_id text,
  partition integer not null,
  -- Text: jsonb rejects some valid JSON, and one such event would fail its whole batch. Empty once it was deleted, after
  -- its 90 days.
  payload text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  status text not null default 'stored' check (status in ('stored', 'processed', 'failed', 'dismissed')),
  next_attempt_at timestamptz not null default now(),
  waiting_for text,
  error text,
  processed_at timestamptz,
  -- What a stored event waits for, without the id, or why one failed, without ids; an index entry has room for 400
  -- characters of it.
  kind text generated always as (case status
    when 'stored' then split_part(waiting_for, ':', 1)
    when 'failed' then left(regexp_replace(error, '^(There was no \w+):.*( within [^:]*)$', '\1\2'), 400) end) stored,
  attempts integer not null default 0,
  -- Whom and what it is about, as far as its first try could tell: no index has to be written while events are taken in.
  contact_id text,
  campaign_id text,
  -- Where it belongs in a trace, if there are traces.
  trace_parent text
) partition by range (received_at);
create table event_inbox_rest partition of event_inbox default;
comment on table event_inbox is
  'partitioned by month; each partition has the primary key (tenant_integration_id, event_id), and who inserts looks for it in the others';
comment on column event_inbox.attempts is 'how often it was handled; a batch that was rolled back does not count';
-- A batch is fair by tenant: each tenant's due events are found without reading the others'.
create index event_inbox_fair on event_inbox (partition, tenant_id, next_attempt_at) where status = 'stored';
create index event_inbox_waiting on event_inbox (tenant_id, waiting_for) where waiting_for is not null;
create index event_inbox_by_event on event_inbox (tenant_id, event_id);
create index event_inbox_kept on event_inbox (received_at) where payload <> '';
-- What a backtest reads, in the order in which it occurred.
create index event_inbox_history on event_inbox (tenant_id, event_type, occurred_at, tenant_integration_id, event_id)
  where status = 'processed' and event_type in ('notice.clicked', 'session.created', 'session.closed');
-- Each list of the console, and its summary, is read from an index.
create index event_inbox_by_tenant on event_inbox (tenant_id, received_at desc, event_id desc);
create index event_inbox_by_type on event_inbox (tenant_id, event_type, received_at desc, event_id desc)
  where status = 'processed';
create index event_inbox_stored on event_inbox (tenant_id, (waiting_for is null), received_at desc, event_id desc)
  where status = 'stored';
create index event_inbox_failed on event_inbox (tenant_id, received_at desc, event_id desc)
  include (service_number_id) where status = 'failed';
create index event_inbox_unprocessed on event_inbox (tenant_id, status, event_type, kind, received_at desc, event_id desc)
  where status in ('stored', 'failed');
create index event_inbox_dismissed on event_inbox (tenant_id, received_at desc, event_id desc)
  where status = 'dismissed';
alter table event_inbox_rest add primary key (tenant_integration_id, event_id);
create index event_inbox_by_contact on event_inbox (tenant_id, contact_id, received_at desc, event_id desc)
  where contact_id is not null;
create index event_inbox_by_campaign on event_inbox (tenant_id, campaign_id, status, received_at desc, event_id desc)
  where campaign_id is not null;
select add_month('event_inbox', (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from generate_series(0, 1) as n;

-- Which drain empties a partition; it sets `closing` before its last empty look, so that intake knows when to signal.
create table inbox_lease (
  partition integer primary key,
  holder text not null,
  state text not null check (state in ('draining', 'closing', 'free')),
  expires_at timestamptz not null
);
