import type { Knex } from 'knex';

/** A column that is null everywhere, and a new table: nothing is rewritten or scanned. */
const steps = `
  alter table campaign add column steps jsonb;
  comment on column campaign.steps is 'messages that follow it after a time, to those who did or did not do something; null: none';

  create table campaign_step (
    campaign_id text not null references campaign on delete cascade,
    position smallint not null,
    tenant_id text not null references tenant,
    state text not null check (state in ('waiting', 'sent', 'approval', 'skipped', 'cancelled')),
    reason text check ((reason is not null) = (state in ('skipped', 'cancelled'))),
    next_look_at timestamptz check (next_look_at is null or state = 'waiting'),
    due_at timestamptz,
    decided_at timestamptz check ((decided_at is null) = (state = 'waiting')),
    step_campaign_id text references campaign on delete set null,
    primary key (campaign_id, position)
  );
  comment on table campaign_step is 'what became of the messages that follow a campaign, from its send on; what they say is in campaign.steps';
  comment on column campaign_step.position is '1 for the first';
  comment on column campaign_step.next_look_at is 'when it is looked at next; null unless it is the next one';
  comment on column campaign_step.due_at is 'when it was due, once it was decided about';
  comment on column campaign_step.step_campaign_id is 'the campaign that it was sent as';
  create unique index campaign_step_by_campaign on campaign_step (step_campaign_id);
  create index campaign_step_by_tenant on campaign_step (tenant_id, campaign_id);
  create index campaign_step_due on campaign_step (next_look_at) where next_look_at is not null;

  alter table ending_workflow drop constraint ending_workflow_kind_check;
  alter table ending_workflow add constraint ending_workflow_kind_check
    check (kind in ('dispatch', 'poll', 'close', 'sources', 'variants', 'steps')) not valid;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(steps);
}
