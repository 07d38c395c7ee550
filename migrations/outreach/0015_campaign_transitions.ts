import type { Knex } from 'knex';

/** What a campaign's history shows beside the audit log, and which campaigns go to a saved audience. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

    -- Many statements move a status; none of them can leave the history out.
    create function keep_campaign_transition() returns trigger language plpgsql as $$
    begin
      insert into campaign_transition (tenant_id, campaign_id, from_status, to_status, pause_reason)
      values (new.tenant_id, new.campaign_id, old.status, new.status, new.pause_reason);
      return null;
    end $$;
    create trigger campaign_status_moved after update of status on campaign
      for each row when (old.status is distinct from new.status) execute function keep_campaign_transition();

    create index campaign_by_saved_audience on campaign ((audience ->> 'audienceId'))
      where audience ->> 'audienceId' is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index campaign_by_saved_audience;
    drop trigger campaign_status_moved on campaign;
    drop function keep_campaign_transition;
    drop table campaign_transition;
  `);
}
