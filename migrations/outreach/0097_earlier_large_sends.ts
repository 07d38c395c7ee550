import type { Knex } from 'knex';

/**
 * Notes the large sends that there are, so that their sets are built. Reads all sends, a fraction of a second for 100,000
 * of them, and locks none of their tables.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into dispatch_reach (dispatch_id, tenant_id, campaign_id, service_number_id, due_at)
    select d.dispatch_id, d.tenant_id, d.campaign_id, c.service_number_id, d.frozen_at
    from dispatch d join campaign c using (campaign_id)
    where d.frozen_at is not null and d.frozen_count >= 2000 and d.recipients_deleted_at is null
    on conflict do nothing`);
}
