import type { Knex } from 'knex';

/**
 * Deliveries that have ended are deleted after a while, with their events. The index takes about 2 s for a million
 * deliveries, in which none can be written.
 */
const ended = `
  create index delivery_ended on delivery ((greatest(settled_at, trying_since))) where status <> 'pending';`;

/** What a removed webhook leaves to do: the removal is one transaction, giving up its deliveries many. */
const removals = `
  create table webhook_removal (
    tenant_id text primary key references tenant,
    until timestamptz not null
  );
  comment on table webhook_removal is 'webhooks that were removed, and whose deliveries are still being given up';
  comment on column webhook_removal.until is 'deliveries from before are given up; later ones are of another webhook';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [ended, removals]) await knex.raw(part);
}
