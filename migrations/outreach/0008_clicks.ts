import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The key includes the campaign: a platform may reuse a task's id.
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
      primary key (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id)
    );
    create index click_attribution_by_campaign on click_attribution (campaign_id, clicked_at desc);
    create index click_attribution_of_contact on click_attribution (tenant_id, contact_id, clicked_at) include (campaign_id);
    -- Who clicked on the partial days at the ends of a period is read from the index alone.
    create index click_attribution_by_time on click_attribution (tenant_id, clicked_at) include (contact_id, campaign_id);

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
    create index conversation_by_contact on conversation (tenant_id, contact_id);
    -- The partial hours at the ends of a period are read row by row; conversation_hour has the hours in between.
    create index conversation_by_time on conversation (tenant_id, opened_at) where campaign_id is not null;
  `);
}
