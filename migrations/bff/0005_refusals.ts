import type { Knex } from 'knex';

/** Webhooks that got a 4xx, counted: strangers may call as often as they like, and make one row a minute each way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_refusal (
      platform_tenant_id text not null,
      minute timestamptz not null,
      tenant_integration_id text not null references tenant_integration,
      reason text not null,
      code text not null,
      calls integer not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      last_bytes integer,
      last_event_id text,
      last_event_type text,
      last_detail text,
      primary key (platform_tenant_id, minute, tenant_integration_id, reason)
    );
    create index webhook_refusal_by_minute on webhook_refusal (minute);
    comment on column webhook_refusal.last_event_id is 'only if the signature held; nothing else of a body is kept';
  `);
}
