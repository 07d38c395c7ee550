import { type Database, firstRow } from '#db/database.ts';

/** How often sub-tasks of the tenant have been claimed. */
export async function countClaims({
  database,
  tenant: { tenantId },
}: {
  database: Database;
  tenant: { tenantId: string };
}) {
  const row = await firstRow<{ claims: number }>(
    database,
    'select coalesce(sum(attempts), 0) as claims from broadcast_task where tenant_id = :tenantId',
    { tenantId },
  );
  return row?.claims ?? 0;
}
