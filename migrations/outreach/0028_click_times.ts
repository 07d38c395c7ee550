import type { Knex } from 'knex';

/** Who clicked in the parts of days at the ends of a period is read in the index alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index click_attribution_by_time;
    create index click_attribution_by_time on click_attribution (tenant_id, clicked_at) include (contact_id, campaign_id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index click_attribution_by_time;
    create index click_attribution_by_time on click_attribution (tenant_id, clicked_at)`);
}
