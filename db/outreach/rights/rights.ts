import { type Database, firstRow, rows } from '#db/database.ts';
import { ServiceNumberRightRow } from '../models/rights.ts';
import { ServiceNumberRow } from '../models/tenants.ts';
import type { ServiceNumbers } from './viewers.ts';

/** What is known of a caller whenever it calls. */
export interface Standing {
  /** Of the list that was put for it, whatever its role is. */
  serviceNumberIds: ServiceNumbers;
}

/** Null if the tenant has no ACTIVE integration. */
export function findStanding(
  database: Database,
  { tenantId, actor }: { tenantId: string; actor: string },
): Promise<Standing | null> {
  return firstRow<Standing>(
    database,
    `select r.service_number_ids from tenant_integration i
       left join service_number_right r on r.tenant_id = i.tenant_id and r.actor = :actor
     where i.tenant_id = :tenantId and i.status = 'ACTIVE'`,
    { tenantId, actor },
  );
}

/** The list of a user or key; null if there is none. */
export async function findServiceNumbers(database: Database, tenantId: string, actor: string): Promise<ServiceNumbers> {
  return (await ServiceNumberRightRow.query(database).findById([tenantId, actor]))?.serviceNumberIds ?? null;
}

/** Those of the users and keys whose lists leave out the campaign's service number. */
export async function findExcluded(
  database: Database,
  { tenantId, campaignId }: { tenantId: string; campaignId: string },
  actors: string[],
): Promise<string[]> {
  const found = await rows<{ actor: string }>(
    database,
    `select r.actor from campaign c join service_number_right r using (tenant_id)
     where c.tenant_id = :tenantId and c.campaign_id = :campaignId and r.actor = any(:actors)
       and c.service_number_id <> all(r.service_number_ids)`,
    { tenantId, campaignId, actors },
  );
  return found.map(({ actor }) => actor);
}

/** Puts a list for a user or key, or takes it away. */
export async function storeServiceNumbers(
  database: Database,
  tenantId: string,
  actor: string,
  serviceNumberIds: string[] | null,
): Promise<void> {
  if (serviceNumberIds === null) await ServiceNumberRightRow.query(database).deleteById([tenantId, actor]);
  else
    await ServiceNumberRightRow.query(database)
      .insert({ tenantId, actor, serviceNumberIds })
      .onConflict(['tenantId', 'actor'])
      .merge();
}

/** Those of the ids that the tenant has, or has had. */
export async function knownServiceNumbers(
  database: Database,
  tenantId: string,
  serviceNumberIds: readonly string[],
): Promise<Set<string>> {
  const found = await ServiceNumberRow.query(database)
    .where({ tenantId })
    .whereIn('serviceNumberId', [...serviceNumberIds])
    .select('serviceNumberId');
  return new Set(found.map((row) => row.serviceNumberId));
}
