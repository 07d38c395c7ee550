import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { schemas } from '../../db/connection.ts';
import { migrationsFolder } from '../../db/migrate.ts';
import { useTestDatabase } from '../support/fixtures/database.ts';
import { testEncryption } from '../support/services/outreach-flows.ts';
import { seedTenant } from '../support/outreach/rows.ts';
import { longLocksOf } from './lock-watcher.ts';

/** Those before may lock: they run before the first release, in empty tables. */
const FIRST_CHECKED = 80;

interface Migration {
  up: (knex: Knex) => Promise<unknown>;
  config?: { transaction?: boolean };
}

const all = await Promise.all(
  schemas.flatMap((schema) =>
    readdirSync(join(migrationsFolder, schema))
      .filter((name) => Number.parseInt(name, 10) >= FIRST_CHECKED)
      .map(async (name) => {
        const { up, config } = (await import(join(migrationsFolder, schema, name))) as Migration;
        return { schema, name, up, config };
      }),
  ),
);
/** Not those outside of a transaction, for what cannot run in one: indexes that are built beside writers. */
const checked = all.filter(({ config }) => config?.transaction !== false);

/** Takes back what a migration creates, since the database has it already. */
const undone: Record<string, string> = {
  'outreach/0080_traces.ts': 'alter table event_inbox drop column trace_parent',
  'orders/0080_traces.ts': 'alter table payment_attempt drop column trace_parent',
  'outreach/0090_segments.ts': `alter table audience drop column segment;
    alter table audience add constraint audience_type_check check (type in ('contacts', 'app_tags')) not valid`,
  'outreach/0095_holdout.ts': `drop table dispatch_control, holdout_key; alter table dispatch drop column control_count;
    alter table campaign drop column holdout_percent`,
  'outreach/0100_pace.ts': `alter table campaign drop column pace; alter table dispatch drop column sub_task_size,
    drop column paced_until, drop column deadline_over_at`,
  'outreach/0096_reach_blocks.ts': `drop trigger broadcast_task_reached on broadcast_task; drop function outdate_reach();
    drop trigger dispatch_frozen on dispatch; drop function note_large_send(); drop table reach_block; drop table dispatch_reach`,
  'outreach/0130_repeats.ts': 'drop table repeat_run; drop table campaign_repeat',
  'bff/0110_api_keys.ts': 'drop table api_key; drop function tell_key_end()',
  'orders/0120_attribution.ts': `drop trigger cash_entry_attributed on cash_entry; drop function note_attributed_cash();
    drop table attributed_entry, order_origin; drop sequence attributed_position`,
  'outreach/0120_revenue.ts': `drop table revenue_entry, campaign_revenue, revenue_position, revenue_difference;
    alter table campaign drop column revenue_window_days`,
  'outreach/0190_history.ts': `drop trigger broadcast_task_delivered on broadcast_task; drop function keep_past_delivery();
    drop trigger contact_profile_changed on contact_profile; drop function keep_past_profile();
    drop table broadcast_task_past, contact_profile_past, tag_past, tag_assignment_past;
    alter table tenant drop column history_since; alter table tag drop column archived_at;
    alter table contact_profile drop column changed_at; alter table click_attribution drop column stored_at;
    alter table conversation drop column stored_at; alter table broadcast_task drop column delivered_since`,
  'outreach/0210_past_profiles_by_row.ts': `drop trigger contact_profile_changed on contact_profile;
    drop function keep_past_profile();
    create function keep_past_profiles() returns trigger language plpgsql as 'begin return null; end';
    create trigger contact_profile_changed after update on contact_profile
      for each statement execute function keep_past_profiles()`,
  'outreach/0160_ordinals_of_clicks.ts': `alter table click_attribution drop column contact_ordinal;
    alter table conversation drop column contact_ordinal`,
  'outreach/0141_templates.ts': `drop table template_version, template;
    alter table campaign drop column template_id, drop column template_version`,
  'outreach/0210_utm.ts': `alter table tenant drop column utm;
    alter table campaign drop column utm, drop column sent_name`,
  'outreach/0200_snippets.ts': `alter table template drop constraint template_kind_check;
    alter table template add constraint template_kind_check check (kind in ('card', 'campaign')) not valid`,
  'outreach/0140_webhooks.ts': `drop trigger click_attribution_told on click_attribution;
    drop trigger tag_assignment_told on tag_assignment; drop trigger broadcast_task_became_unknown on broadcast_task;
    drop trigger broadcast_task_sent on broadcast_task; drop trigger campaign_told on campaign;
    drop function tell_clicks(), tell_tags(), tell_unknown(), tell_sent(), tell_completed();
    drop function collect_outgoing(text, text, text, jsonb, text, text[], jsonb);
    drop function write_outgoing_event(text, text, text, jsonb, text, integer, interval); drop function wants_event(text, text);
    drop table outgoing_sent, delivery, outgoing_event_part, outgoing_event, webhook`,
  'outreach/0162_forecasts.ts':
    'alter table dry_run drop column forecast; alter table broadcast_task drop column polls',
  'outreach/0150_variants.ts': `drop table variant_test; alter table click_attribution drop column arm;
    alter table broadcast_task drop column arm, drop column variant; alter table dispatch drop column arm_counts;
    alter table campaign drop column variants`,
  'outreach/0170_steps.ts': 'drop table campaign_step; alter table campaign drop column steps',
  'bff/0091_recurring_runs.ts': 'drop table recurring_run',
  'outreach/0098_tagging_by_outcome.ts': 'alter table clicker_tagging drop column who, drop column after_task',
  'outreach/0091_standing.ts': `alter table broadcast_task drop column failing_since, drop column failing_with,
    drop column reported_at; drop table recurring_run`,
  'orders/0091_standing.ts': `alter table payment_attempt drop column unanswered_since;
    alter table refund drop column unanswered_since, drop column unpaid_since; drop table recurring_run`,
};

describe('migrations beside the release that is running', () => {
  const database = useTestDatabase();
  const outreach = () => database.connect('outreach', 'owner');

  before(async () => {
    await seedTenant(database.connect('outreach'), testEncryption);
  });

  const flagged = (statement: string) =>
    longLocksOf(outreach(), 'outreach', async (knex: Knex) => void (await knex.raw(statement)));

  for (const { schema, name, up } of checked) {
    it(`${schema}/${name} keeps nobody waiting for as long as a table is large`, async () => {
      const found = await longLocksOf(database.connect(schema, 'owner'), schema, up, undone[`${schema}/${name}`]);
      expect(found).to.deep.equal([]);
    });
  }

  it('would be found if it rewrote a table, built an index or scanned it', async () => {
    expect(await flagged(`alter table tenant add column x text default gen_random_uuid()::text`)).to.include(
      'tenant: rewritten',
    );
    expect(await flagged('create index tenant_x on tenant (name)')).to.include.members([
      'tenant: tenant_x is built',
      'tenant: scanned',
    ]);
  });

  it('passes if it adds a column, a table with an index, or a constraint that is not validated yet', async () => {
    expect(await flagged(`alter table tenant add column x text default 'x'`)).to.deep.equal([]);
    expect(await flagged('create table x (y text); create index x_y on x (y)')).to.deep.equal([]);
    expect(await flagged(`alter table tenant add constraint x check (name <> 'x') not valid`)).to.deep.equal([]);
  });
});
