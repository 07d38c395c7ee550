import type { Knex } from 'knex';

/** Columns that are null everywhere: nothing is rewritten or scanned. */
const columns = `
  alter table campaign add column variants jsonb;
  comment on column campaign.variants is 'other messages that its own are tested against, and how the winner is found; null: none';
  alter table dispatch add column arm_counts integer[];
  comment on column dispatch.arm_counts is
    'contacts frozen so far for each variant, and at last for the rest; null unless it tests variants and repeats no other send';
  alter table broadcast_task add column arm smallint, add column variant smallint;
  comment on column broadcast_task.arm is 'the variant that its contacts were drawn for, or 5: the rest; null without variants';
  comment on column broadcast_task.variant is
    'whose messages it has; null: the campaign''s own, or those of the variant that is going to be chosen for the rest';
  comment on table holdout_key is
    'the random key by which a campaign chooses its control group and who gets which variant, made when it first does';`;

/** The partitions get it as well. */
const clicks = `
  alter table click_attribution add column arm smallint;
  comment on column click_attribution.arm is 'of the sub-task that was clicked: as broadcast_task.arm';`;

const test = `
  create table variant_test (
    campaign_id text primary key references campaign on delete cascade,
    tenant_id text not null references tenant,
    dispatch_id text not null references dispatch,
    next_look_at timestamptz,
    asks_since timestamptz,
    chosen smallint,
    chosen_at timestamptz,
    chosen_by text,
    proven boolean,
    compared jsonb,
    constraint variant_test_chosen_check
      check ((chosen is null) = (chosen_at is null) and (chosen is null) = (chosen_by is null) and (chosen is null) = (proven is null))
  );
  comment on table variant_test is 'the test of a campaign''s variants, from its send on';
  comment on column variant_test.next_look_at is 'when it is looked at next; null: it has ended';
  comment on column variant_test.asks_since is 'since when an operator has to choose';
  comment on column variant_test.chosen is 'the variant that the rest gets';
  comment on column variant_test.compared is 'what was compared when it was chosen';
  create index variant_test_due on variant_test (next_look_at) where next_look_at is not null;

  alter table ending_workflow drop constraint ending_workflow_kind_check;
  alter table ending_workflow add constraint ending_workflow_kind_check
    check (kind in ('dispatch', 'poll', 'close', 'sources', 'variants')) not valid;`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [columns, clicks, test]) await knex.raw(part);
}
