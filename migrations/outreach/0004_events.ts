import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- payload is text: jsonb refuses what valid JSON may hold, and one such event would kill its whole batch.
    create table event_inbox (
      tenant_integration_id text not null references tenant_integration,
      event_id text not null,
      tenant_id text not null references tenant,
      event_type text not null,
      service_number_id text,
      partition integer not null,
      payload text not null,
      occurred_at timestamptz not null,
      received_at timestamptz not null default now(),
      status text not null default 'stored' check (status in ('stored', 'processed', 'failed')),
      next_attempt_at timestamptz not null default now(),
      waiting_for text,
      error text,
      processed_at timestamptz,
      primary key (tenant_integration_id, event_id)
    );
    create index event_inbox_open on event_inbox (partition, next_attempt_at) where status = 'stored';
    create index event_inbox_waiting on event_inbox (tenant_id, waiting_for) where waiting_for is not null;
    create index event_inbox_by_tenant on event_inbox (tenant_id, received_at desc, event_id desc);

    -- Which drain empties a partition; \`closing\` is set before its last empty look, so that intake knows when to signal.
    create table inbox_lease (
      partition integer primary key,
      holder text not null,
      state text not null check (state in ('draining', 'closing', 'free')),
      expires_at timestamptz not null
    );

    create table click_attribution (
      tenant_id text not null references tenant,
      task_id text not null,
      contact_id text not null,
      notice_id text not null,
      action_index integer not null,
      message_index integer,
      campaign_id text not null references campaign,
      biz_event_code text,
      event_id text not null,
      clicked_at timestamptz not null,
      repeats integer not null default 0,
      primary key (tenant_id, task_id, contact_id, notice_id, action_index)
    );
    create index click_attribution_by_campaign on click_attribution (campaign_id, clicked_at desc);
    create index click_attribution_by_contact on click_attribution (tenant_id, contact_id);

    create table conversation (
      tenant_id text not null references tenant,
      session_id text not null,
      campaign_id text references campaign,
      source_id text,
      service_number_id text,
      contact_id text not null,
      channel text,
      opened_at timestamptz not null,
      closed_at timestamptz,
      duration_seconds double precision,
      message_count integer,
      primary key (tenant_id, session_id)
    );
    create index conversation_by_campaign on conversation (campaign_id) where campaign_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table conversation, click_attribution, inbox_lease, event_inbox');
}
