import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { pauseRestored, type RestoredStep } from '#db/outreach/steps/restored.ts';

/** Pauses what may have been sent since the backup: whoever decided about it is not in the rows. */
export function pauseDueSteps(database: Database, now: Date): Promise<RestoredStep[]> {
  return database.transaction(async (transaction) => {
    const paused = await pauseRestored(transaction, now);
    for (const { tenantId, campaignId, position } of paused)
      await recordAudit(
        transaction,
        { tenantId, userId: 'service:restored', requestId: null },
        {
          action: 'campaign.pause_steps',
          objectType: 'campaign',
          objectId: campaignId,
          after: { steps: [position], pauseReason: 'restored' },
        },
      );
    return paused.toSorted((one, other) => one.campaignId.localeCompare(other.campaignId));
  });
}
