import { rows } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { EmbedSlot, type SlotStatus, TenantIntegration } from './models.ts';

export interface SlotAddress {
  slot: string;
  endpointUrl: string;
}

/** The embedded slots of an integration, as far as the platform knows them. */
export async function slotsOf({ connection }: BffDatabase, id: string): Promise<EmbedSlot[]> {
  return EmbedSlot.query(connection).where({ tenantIntegrationId: id }).orderBy('slot');
}

/** For each of these slots, whether the platform knows it at its address. */
export async function areRegistered(
  database: BffDatabase,
  id: string,
  slots: readonly SlotAddress[],
): Promise<boolean> {
  const known = new Map((await slotsOf(database, id)).map((row) => [row.slot, row]));
  return slots.every(({ slot, endpointUrl }) => {
    const row = known.get(slot);
    return row?.status === 'registered' && row.endpointUrl === endpointUrl;
  });
}

/**
 * Records the outcome of registering an integration's slots; a registered slot keeps its registration time.
 * @param error the platform's response, without secrets.
 */
export async function noteSlots(
  { connection }: BffDatabase,
  id: string,
  slots: readonly SlotAddress[],
  { status, error = null }: { status: SlotStatus; error?: string | null },
): Promise<void> {
  await rows(
    connection,
    `insert into embed_slot (tenant_integration_id, slot, endpoint_url, status, registered_at, error)
     select :id, slot, endpoint_url, :status::text, case when :status::text = 'registered' then now() end, :error::text
       from unnest(:names::text[], :addresses::text[]) as given (slot, endpoint_url)
     on conflict (tenant_integration_id, slot) do update
       set endpoint_url = excluded.endpoint_url, status = excluded.status, error = excluded.error, changed_at = now(),
           registered_at = coalesce(excluded.registered_at, embed_slot.registered_at)`,
    {
      id,
      status,
      error,
      names: slots.map(({ slot }) => slot),
      addresses: slots.map(({ endpointUrl }) => endpointUrl),
    },
  );
}

/**
 * ACTIVE integrations whose slots are not registered at these addresses and that have not changed for `quietSeconds`.
 */
export async function integrationsWithOutdatedSlots(
  { connection }: BffDatabase,
  slots: readonly SlotAddress[],
  quietSeconds: number,
): Promise<TenantIntegration[]> {
  const names = slots.map(({ slot }) => slot);
  const addresses = slots.map(({ endpointUrl }) => endpointUrl);
  return TenantIntegration.query(connection)
    .alias('i')
    .where({ 'i.status': 'ACTIVE' })
    .whereNull('i.uninstall_number')
    .whereRaw('i.installed_at < now() - make_interval(secs => ?)', [quietSeconds])
    .whereRaw(
      `(select count(*) from embed_slot s join unnest(?::text[], ?::text[]) as wanted (slot, endpoint_url)
          using (slot, endpoint_url)
         where s.tenant_integration_id = i.tenant_integration_id and s.status = 'registered') < ?`,
      [names, addresses, slots.length],
    )
    .whereRaw(
      `not exists (select 1 from embed_slot s where s.tenant_integration_id = i.tenant_integration_id
          and s.changed_at > now() - make_interval(secs => ?))`,
      [quietSeconds],
    )
    .limit(100);
}
