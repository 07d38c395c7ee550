import type { Knex } from 'knex';

/** New tables: nothing is rewritten or scanned. */
const repeats = `
  create table campaign_repeat (
    repeat_id text primary key,
    tenant_id text not null,
    service_number_id text not null,
    campaign_id text references campaign on delete set null,
    name text not null,
    calendar jsonb not null,
    zone text not null,
    until timestamptz,
    max_runs integer,
    skip_reached boolean not null,
    status text not null check (status in ('active', 'paused', 'ended')),
    end_reason text check ((end_reason is not null) = (status = 'ended')),
    next_at timestamptz check ((next_at is not null) = (status = 'active')),
    next_local_time text check ((next_local_time is null) = (next_at is null)),
    runs integer not null default 0,
    sends integer not null default 0,
    schedule_stale boolean not null default true,
    started_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  comment on table campaign_repeat is 'campaigns that are sent on a calendar; each run makes a campaign of its own';
  comment on column campaign_repeat.campaign_id is 'whose content each run copies; null once it was deleted';
  comment on column campaign_repeat.next_local_time is 'what clocks in the zone show at next_at, or would if they did not skip it';
  comment on column campaign_repeat.schedule_stale is 'its Schedule does not say what next_at says';
  comment on column campaign_repeat.started_by is 'in whose name it sends: who created or last resumed it';
  create index campaign_repeat_by_tenant on campaign_repeat (tenant_id, repeat_id);
  create index campaign_repeat_by_campaign on campaign_repeat (campaign_id);
  create index campaign_repeat_due on campaign_repeat (next_at) where status = 'active';
  create index campaign_repeat_stale on campaign_repeat (repeat_id) where schedule_stale;`;

const runs = `
  create table repeat_run (
    repeat_id text not null references campaign_repeat on delete cascade,
    local_time text not null,
    number integer not null,
    due_at timestamptz not null,
    ran_at timestamptz not null,
    outcome text not null check (outcome in ('sent', 'approval', 'missed', 'overlap', 'refused')),
    reason text,
    campaign_id text references campaign on delete set null,
    left_out integer not null default 0,
    primary key (repeat_id, local_time),
    unique (repeat_id, number)
  );
  comment on table repeat_run is 'one wall time of a repeat, which therefore runs once, and what became of it';
  comment on column repeat_run.left_out is 'contacts that were left out because an earlier run reached them';
  create unique index repeat_run_by_campaign on repeat_run (campaign_id);`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [repeats, runs]) await knex.raw(part);
}
