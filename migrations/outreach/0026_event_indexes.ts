/** Indexes of endpoints, events and notices, built beside the release that is running. */
export const config = { transaction: false };

const built = {
  webhook_endpoint: 'unique index concurrently webhook_endpoint on webhook (endpoint_id)',
  webhook_by_tenant: 'index concurrently webhook_by_tenant on webhook (tenant_id, created_at, endpoint_id)',
  webhook_failing: `index concurrently webhook_failing on webhook (tenant_id) where paused_for = 'failing'`,
  outgoing_event_listed:
    'index concurrently outgoing_event_listed on outgoing_event (tenant_id, position) where position is not null',
  outgoing_event_unlisted:
    'index concurrently outgoing_event_unlisted on outgoing_event (tenant_id, created_at) where position is null',
  outgoing_event_by_time: 'index concurrently outgoing_event_by_time on outgoing_event (created_at)',
  delivery_once: 'unique index concurrently delivery_once on delivery (event_id, endpoint_id)',
  delivery_due_at: `index concurrently delivery_due_at on delivery (endpoint_id, next_attempt_at) where status = 'pending'`,
  delivery_leased_at: 'index concurrently delivery_leased_at on delivery (endpoint_id) where leased_until is not null',
  delivery_by_endpoint: 'index concurrently delivery_by_endpoint on delivery (endpoint_id, position desc)',
  delivery_of_stream_at:
    'index concurrently delivery_of_stream_at on delivery (endpoint_id, stream, position) where settled_at is null',
  campaign_transition_noticed: `index concurrently campaign_transition_noticed on campaign_transition (tenant_id, at)
    where to_status in ('paused', 'failed', 'partially_failed')`,
  send_approval_asked: 'index concurrently send_approval_asked on send_approval (tenant_id) where outcome is null',
  send_approval_decided: `index concurrently send_approval_decided on send_approval (tenant_id, requested_by, decided_at)
    where outcome is not null`,
  variant_test_asks: `index concurrently variant_test_asks on variant_test (tenant_id)
    where asks_since is not null and chosen is null`,
};
const replaced = ['delivery_due', 'delivery_leased', 'delivery_by_tenant', 'delivery_of_stream'];

export async function up(knex: { raw(sql: string): Promise<unknown> }): Promise<void> {
  for (const [name, index] of Object.entries(built)) {
    // What an attempt that was cut short has left is not valid.
    await knex.raw(`drop index concurrently if exists ${name}`);
    await knex.raw(`create ${index}`);
  }
  for (const name of replaced) await knex.raw(`drop index concurrently if exists ${name}`);
}
