import type { Database } from '#db/database.ts';
import { ServiceNumberRow } from '#db/outreach/models/tenants.ts';
import { hasServiceNumber } from '#db/outreach/tenants/service-numbers.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';

/** @throws Problem `invalid_content` if the tenant has never had this service number. */
export async function assertKnownServiceNumber(
  database: Database,
  tenantId: string,
  serviceNumberId: string,
): Promise<void> {
  if (await hasServiceNumber(database, tenantId, serviceNumberId)) return;
  throw new Problem('invalid_content', 'The tenant has no such service number', {
    errors: [invalidField('/serviceNumberId', 'unknown_service_number')],
  });
}

/** @throws Problem `invalid_content` if nothing new may be created for this service number. */
export async function assertActiveServiceNumber(
  database: Database,
  tenantId: string,
  serviceNumberId: string,
): Promise<void> {
  const row = await ServiceNumberRow.query(database).findById([tenantId, serviceNumberId]);
  if (row?.status === 'active') return;
  throw new Problem('invalid_content', 'The service number is unknown or no longer active', {
    errors: [invalidField('/serviceNumberId', 'inactive_service_number')],
  });
}
