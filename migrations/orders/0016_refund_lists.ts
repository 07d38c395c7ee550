import type { Knex } from 'knex';

/** The refunds of a tenant by status, newest first. A second for a million refunds, in which none is written. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index refund_by_status on refund (tenant_id, status, created_at desc, refund_id desc);
  `);
}
