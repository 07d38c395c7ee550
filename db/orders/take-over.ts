import type { Database } from '../database.ts';
import { type Place, takeOver } from '../place.ts';
import { recordAudit } from './audit.ts';
import { Tenant } from './models/catalogue.ts';
import { transact } from './transaction.ts';

/**
 * Lets a database that was started elsewhere send merchants' events from here. Each tenant sees who did it.
 * @returns where it was before; null if there was nothing to take over.
 */
export function takeOverDatabase(
  database: Database,
  { actor, by }: { actor: string; by: string },
): Promise<Place | null> {
  return transact(database, async (transaction) => {
    const before = await takeOver(transaction, by);
    if (before === null) return null;
    for (const { tenantId } of await Tenant.query(transaction).select('tenantId').orderBy('tenantId'))
      await recordAudit(transaction, {
        tenantId,
        author: { userId: actor, requestId: null, callerRequestId: null },
        action: 'tenant.adopt',
        subject: { type: 'tenant', id: tenantId },
        before: null,
        after: { by },
      });
    return before;
  });
}
