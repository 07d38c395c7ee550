import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { IntegrationRow } from '#db/outreach/models/tenants.ts';
import { type Place, takeOver } from '#db/place.ts';

/**
 * Lets a database that was started elsewhere send from here. No campaign changes; each tenant that may send sees who did it.
 * @returns where it was before; null if there was nothing to take over.
 */
export function takeOverDatabase(
  database: Database,
  { actor, by }: { actor: string; by: string },
): Promise<Place | null> {
  return database.transaction(async (transaction) => {
    const before = await takeOver(transaction, by);
    if (before === null) return null;
    const active = await IntegrationRow.query(transaction)
      .select('tenantId', 'tenantIntegrationId')
      .where({ status: 'ACTIVE' })
      .orderBy('tenantId');
    for (const { tenantId, tenantIntegrationId } of active)
      await recordAudit(
        transaction,
        { tenantId, userId: actor, requestId: null },
        { action: 'integration.adopt', objectType: 'integration', objectId: tenantIntegrationId, after: { by } },
      );
    return before;
  });
}
