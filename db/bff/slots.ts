import type { Knex } from 'knex';
import { raw } from 'objection';
import { EmbedSlot, TenantIntegration } from './models.ts';

export interface SlotAddress {
  slot: string;
  endpointUrl: string;
}

export type SlotRepository = ReturnType<typeof createSlots>;

/** The embedded slots of each integration, as far as the platform knows them. */
export function createSlots(knex: Knex) {
  const list = async (id: string): Promise<EmbedSlot[]> =>
    EmbedSlot.query(knex).where({ tenantIntegrationId: id }).orderBy('slot');

  /** Notes what is to be registered. What was registered stays readable until the answer comes. */
  async function announce(id: string, slots: readonly SlotAddress[]): Promise<void> {
    await EmbedSlot.query(knex)
      .insert(slots.map((slot) => ({ ...slot, tenantIntegrationId: id, status: 'pending' as const })))
      .onConflict(['tenant_integration_id', 'slot'])
      .merge({ endpointUrl: raw('excluded.endpoint_url'), status: 'pending', error: null, changedAt: raw('now()') });
  }

  const mark = async (id: string, patch: Partial<EmbedSlot>): Promise<number> =>
    EmbedSlot.query(knex)
      .where({ tenantIntegrationId: id })
      .patch({ ...patch, changedAt: raw('now()') });

  const markRegistered = (id: string): Promise<number> =>
    mark(id, { status: 'registered', registeredAt: new Date(), error: null });

  /** @param error what the platform answered, without secrets. */
  const markFailed = (id: string, error: string): Promise<number> => mark(id, { status: 'failed', error });

  /** ACTIVE integrations whose slots are not registered at these addresses, unless something changed just now. */
  async function outdated(slots: readonly SlotAddress[], quietSeconds: number): Promise<TenantIntegration[]> {
    return TenantIntegration.query(knex)
      .where({ status: 'ACTIVE' })
      .whereNull('uninstall_number')
      .whereRaw(`installed_at < now() - make_interval(secs => ?)`, [quietSeconds])
      .whereRaw(
        `(select count(*) from embed_slot s
            join unnest(?::text[], ?::text[]) as wanted (slot, endpoint_url) using (slot, endpoint_url)
           where s.tenant_integration_id = tenant_integration.tenant_integration_id and s.status = 'registered') < ?`,
        [slots.map(({ slot }) => slot), slots.map(({ endpointUrl }) => endpointUrl), slots.length],
      )
      .whereRaw(
        `not exists (select 1 from embed_slot s
           where s.tenant_integration_id = tenant_integration.tenant_integration_id
             and s.changed_at > now() - make_interval(secs => ?))`,
        [quietSeconds],
      )
      .limit(100);
  }

  return { list, announce, markRegistered, markFailed, outdated };
}
