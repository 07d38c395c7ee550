import { z } from 'zod';
import type { ContactCounts } from '#domain/api/contacts.ts';
import type { InstalledServiceNumbers } from '#domain/api/internal.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { ServiceNumberRow } from '../models/tenants.ts';

/**
 * Makes `serviceNumbers` the tenant's active ones; those no longer listed stay as inactive, since campaigns refer to
 * them.
 */
export async function replaceCatalogue(
  transaction: Database,
  tenantId: string,
  serviceNumbers: InstalledServiceNumbers,
): Promise<void> {
  const names = new Map(serviceNumbers.map(({ serviceNumberId, name }) => [serviceNumberId, name]));
  const ids = [...names.keys()];
  await transaction.raw(
    `insert into service_number_catalog (tenant_id, service_number_id, name, status)
     select ?, id, name, 'active' from unnest(?::text[], ?::text[]) as given (id, name)
     on conflict (tenant_id, service_number_id) do update set name = excluded.name, status = 'active'`,
    [tenantId, ids, [...names.values()]],
  );
  await transaction.raw(
    `update service_number_catalog set status = 'inactive'
     where tenant_id = ? and status = 'active' and service_number_id <> all(?::text[])`,
    [tenantId, ids],
  );
}

/** By id, page by page. */
export async function listServiceNumbers(
  database: Database,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ServiceNumberRow>> {
  const after = decodeCursor(z.tuple([keyText]), cursor);
  const query = ServiceNumberRow.query(database)
    .where({ tenantId })
    .orderBy('serviceNumberId')
    .limit(limit + 1);
  if (after) query.where('serviceNumberId', '>', after[0]);
  return pageOf(await query, limit, (row) => [row.serviceNumberId]);
}

/** For every service number in the catalogue, by id, including those without contacts. */
export function countContacts(database: Database, tenantId: string): Promise<ContactCounts[]> {
  return rows<ContactCounts>(
    database,
    `select n.service_number_id,
       count(p.contact_id) filter (where p.follow_state = 'following') as following,
       count(p.contact_id) filter (where p.follow_state = 'unfollowed') as unfollowed,
       count(p.contact_id) filter (where p.unsubscribed) as unsubscribed,
       count(p.contact_id) filter (where p.follow_state = 'following' and not p.unsubscribed) as reachable
     from service_number_catalog n left join contact_profile p using (tenant_id, service_number_id)
     where n.tenant_id = :tenantId group by 1 order by 1`,
    { tenantId },
  );
}

/** Whether the tenant has, or has had, this service number. */
export async function hasServiceNumber(
  database: Database,
  tenantId: string,
  serviceNumberId: string,
): Promise<boolean> {
  return (await ServiceNumberRow.query(database).findById([tenantId, serviceNumberId])) !== undefined;
}
