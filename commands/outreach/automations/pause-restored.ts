import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { pauseRestored, type RestoredAutomation } from '#db/outreach/automations/restored.ts';

/** Pauses every active automation: whom it has taken and sent to since the backup is not in the rows. */
export function pauseRestoredAutomations(database: Database, now: Date): Promise<RestoredAutomation[]> {
  return database.transaction(async (transaction) => {
    const paused = await pauseRestored(transaction, now);
    for (const { tenantId, automationId } of paused)
      await recordAudit(
        transaction,
        { tenantId, userId: 'service:restored', requestId: null },
        {
          action: 'automation.pause',
          objectType: 'automation',
          objectId: automationId,
          before: { status: 'active' },
          after: { status: 'paused', pauseReason: 'restored' },
        },
      );
    return paused;
  });
}
