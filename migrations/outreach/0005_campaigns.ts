import type { Knex } from 'knex';

const campaigns = `
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
    edited_by text,
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
  create index campaign_ending on campaign (ends_at)
    where ends_at is not null and dispatches > 0 and status <> 'closed';
  create index campaign_by_saved_audience on campaign ((audience ->> 'audienceId'))
    where audience ->> 'audienceId' is not null;`;

/** Many statements change a status; with a trigger none of them can omit the history. */
const transitions = `
  create table campaign_transition (
    transition_id bigint generated always as identity primary key,
    tenant_id text not null,
    campaign_id text not null references campaign on delete cascade,
    at timestamptz not null default now(),
    from_status text not null,
    to_status text not null,
    pause_reason text
  );
  create index campaign_transition_by_campaign on campaign_transition (campaign_id, at desc);

  create function keep_campaign_transition() returns trigger language plpgsql as $$
  begin
    insert into campaign_transition (tenant_id, campaign_id, from_status, to_status, pause_reason)
    values (new.tenant_id, new.campaign_id, old.status, new.status, new.pause_reason);
    return null;
  end $$;
  create trigger campaign_status_moved after update of status on campaign
    for each row when (old.status is distinct from new.status) execute function keep_campaign_transition();`;

/** A campaign can have several: F1 is repeated after an ambiguous outcome, and sessions report the others. */
const entrySources = `
  create table entry_source (
    tenant_id text not null references tenant,
    source_id text not null,
    campaign_id text not null references campaign,
    -- Changes of the campaign that the platform should know about, and how many of them were reported to it (F2).
    wanted integer not null default 0,
    told integer not null default 0,
    -- F3 took effect, or the platform rejected it for good (then with the code).
    ended_at timestamptz,
    -- The last rejection by the platform, for operators.
    error_code text,
    error_message text,
    error_call text check (error_call in ('update', 'end')),
    error_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (tenant_id, source_id)
  );
  create index entry_source_by_campaign on entry_source (campaign_id);
  create index entry_source_active on entry_source (campaign_id) where ended_at is null;
  create index entry_source_refused on entry_source (tenant_id, error_at) where error_at is not null;`;

const copywriting = `
  -- brief and drafts are text, like the payloads of events: JSON that is stored verbatim.
  create table copywriting (
    copywriting_id text primary key,
    tenant_id text not null references tenant,
    requested_by text not null,
    brief text not null,
    status text not null default 'pending' check (status in ('pending', 'written', 'failed')),
    drafts text,
    failure text check (failure in ('refused', 'misconfigured', 'failed')),
    error text,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((status = 'written') = (drafts is not null))
  );
  create index copywriting_by_tenant on copywriting (tenant_id, created_at desc);`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [campaigns, transitions, entrySources, copywriting]) await knex.raw(part);
}
