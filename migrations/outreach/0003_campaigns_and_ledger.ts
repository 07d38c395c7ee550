import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table campaign (
      campaign_id text primary key,
      tenant_id text not null references tenant,
      service_number_id text not null,
      name text not null,
      note text,
      channels text[] not null,
      messages jsonb not null,
      audience jsonb not null,
      schedule jsonb not null,
      ends_at timestamptz,
      status text not null check (status in
        ('draft', 'scheduled', 'sending', 'paused', 'completed', 'partially_failed', 'failed', 'cancelled', 'closed')),
      pause_reason text check (pause_reason in ('operator', 'unauthorized', 'late')),
      cancel_requested boolean not null default false,
      source_id text,
      version integer not null default 1,
      dispatches integer not null default 0,
      created_by text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      sent_at timestamptz,
      started_at timestamptz,
      finished_at timestamptz,
      closed_at timestamptz,
      check ((status = 'paused') = (pause_reason is not null))
    );
    create index campaign_by_tenant on campaign (tenant_id, created_at desc, campaign_id desc);
    create index campaign_open on campaign (status) where status in ('scheduled', 'sending', 'paused');

    -- One send of a campaign; the id is the parentTaskId of its sub-tasks where there are several.
    create table dispatch (
      dispatch_id text primary key,
      tenant_id text not null references tenant,
      campaign_id text not null references campaign,
      number integer not null,
      retry_of text references dispatch,
      idempotency_key text,
      scheduled_at timestamptz,
      audience_count integer not null,
      audience_hash text not null,
      excluded jsonb not null,
      created_by text not null,
      created_at timestamptz not null default now(),
      unique (campaign_id, number)
    );
    create unique index dispatch_idempotency on dispatch (campaign_id, idempotency_key) where idempotency_key is not null;

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
      next_attempt_at timestamptz,
      submitted_at timestamptz,
      next_poll_at timestamptz,
      poll_interval_ms integer,
      poll_until timestamptz,
      error_code text,
      error_message text,
      started_at timestamptz,
      finished_at timestamptz,
      created_at timestamptz not null default now(),
      unique (dispatch_id, chunk)
    );
    create unique index broadcast_task_platform_id on broadcast_task (tenant_id, task_id) where task_id is not null;
    create index broadcast_task_by_campaign on broadcast_task (campaign_id, status);
    create index broadcast_task_due on broadcast_task (campaign_id, next_poll_at) where next_poll_at is not null;

    -- The frozen audienceSnapshot: each contact once a send, in the chunk it was sent with.
    create table dispatch_recipient (
      dispatch_id text not null references dispatch,
      contact_id text not null,
      chunk integer not null,
      primary key (dispatch_id, contact_id)
    );
    create index dispatch_recipient_by_chunk on dispatch_recipient (dispatch_id, chunk);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table dispatch_recipient, broadcast_task, dispatch, campaign');
}
