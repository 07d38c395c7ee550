import type { Knex } from 'knex';

const dispatches = `
  -- One send of a campaign; the id is the parentTaskId of its sub-tasks where there are several.
  create table dispatch (
    dispatch_id text primary key,
    tenant_id text not null references tenant,
    campaign_id text not null references campaign,
    number integer not null,
    retry_of text references dispatch,
    idempotency_key text,
    scheduled_at timestamptz,
    -- When this send was paused for being late; if resumed after that, it is sent despite its time.
    late_at timestamptz,
    audience_count integer not null,
    audience_hash text not null,
    excluded jsonb not null,
    created_by text not null,
    created_at timestamptz not null default now(),
    unique (campaign_id, number)
  );
  create unique index dispatch_idempotency on dispatch (campaign_id, idempotency_key) where idempotency_key is not null;
  create index dispatch_by_audience on dispatch (tenant_id, audience_hash, created_at);

  -- The frozen audienceSnapshot: each contact once per send, in the chunk it was sent with. No foreign key: a send of a
  -- million contacts would check a million times that its one dispatch exists. Recipients are written in the transaction
  -- that writes the dispatch, and neither is ever deleted.
  create table dispatch_recipient (
    dispatch_id text not null,
    contact_id text not null,
    chunk integer not null,
    primary key (dispatch_id, contact_id)
  );
  create index dispatch_recipient_by_chunk on dispatch_recipient (dispatch_id, chunk);`;

const ledger = `
  -- The sub-task ledger: the row is the unit of exactly-once.
  create table broadcast_task (
    key text primary key,
    tenant_id text not null references tenant,
    campaign_id text not null references campaign,
    dispatch_id text not null references dispatch,
    chunk integer not null,
    task_id text,
    status text not null check (status in
      ('pending', 'submitting', 'unknown', 'rejected', 'scheduled', 'sending', 'completed', 'cancelled', 'failed')),
    contact_count integer not null check (contact_count between 1 and 1000),
    recipient_count integer,
    estimated_recipient_count integer,
    sent integer not null default 0,
    delivered integer not null default 0,
    failed integer not null default 0,
    read integer not null default 0,
    attempts integer not null default 0,
    submitting_since timestamptz,
    -- The attempt that holds a submission: only that one may record its outcome.
    submitting_by text,
    next_attempt_at timestamptz,
    submitted_at timestamptz,
    next_poll_at timestamptz,
    poll_interval_ms integer,
    poll_until timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    finished_at timestamptz,
    -- The send that took over the contacts of a rejected or failed sub-task, which no longer counts.
    superseded_by text references dispatch,
    created_at timestamptz not null default now(),
    unique (dispatch_id, chunk)
  );
  -- Not unique: nothing in the protocol prevents a platform from reusing an id.
  create index broadcast_task_platform_id on broadcast_task (tenant_id, task_id) where task_id is not null;
  create index broadcast_task_by_campaign on broadcast_task (campaign_id, status);
  create index broadcast_task_due on broadcast_task (campaign_id, next_poll_at) where next_poll_at is not null;
  create index broadcast_task_polled on broadcast_task (next_poll_at) where next_poll_at is not null;
  create index broadcast_task_unsettled on broadcast_task (dispatch_id, chunk) where status in ('pending', 'submitting');
  create index broadcast_task_submitting on broadcast_task (tenant_id) where status = 'submitting';
  create index broadcast_task_unknown on broadcast_task (tenant_id) where status = 'unknown';
  create index broadcast_task_scheduled on broadcast_task (campaign_id) where status = 'scheduled';
  create index broadcast_task_finished on broadcast_task (campaign_id, finished_at) where status = 'completed';`;

const testSends = `
  -- Test sends are not sub-tasks; they are kept so that their clicks are recognised. No reference to the campaign: a draft
  -- can be deleted after its tests, whose clicks still arrive.
  create table test_send (
    key text primary key,
    tenant_id text not null references tenant,
    campaign_id text not null,
    task_id text,
    idempotency_key text,
    contact_count integer not null default 0,
    created_at timestamptz not null default now(),
    ended_at timestamptz
  );
  comment on column test_send.ended_at is 'the call came to an end; without a task_id nobody knows to which';
  create index test_send_by_task on test_send (tenant_id, task_id) where task_id is not null;
  create unique index test_send_idempotency on test_send (campaign_id, idempotency_key) where idempotency_key is not null;`;

const dryRuns = `
  -- The last dry run of a campaign, kept to report later how the audience of the send differs from it.
  create table dry_run (
    dry_run_id text primary key,
    tenant_id text not null references tenant,
    campaign_id text not null unique references campaign on delete cascade,
    source jsonb not null,
    audience_count integer not null,
    audience_hash text not null,
    created_by text not null,
    created_at timestamptz not null
  );

  -- Its contacts by class, in the order of a send. They are read only as a whole: lists are written and deleted in a third
  -- of the time that a row for each contact would take.
  create table dry_run_part (
    dry_run_id text not null references dry_run on delete cascade,
    class text not null,
    part integer not null,
    contact_ids text[] not null,
    primary key (dry_run_id, class, part)
  );

  -- How the frozen audience of a send differs from the dry run before it, recorded at the moment of sending. No foreign
  -- key, as for recipients.
  create table audience_drift (
    dispatch_id text not null,
    change text not null check (change in ('added', 'removed')),
    contact_id text not null,
    reason text not null,
    primary key (dispatch_id, change, contact_id)
  );`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [dispatches, ledger, testSends, dryRuns]) await knex.raw(part);
}
