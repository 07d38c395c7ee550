import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { resumePaused } from '#db/outreach/steps/restored.ts';
import { Problem } from '#domain/api/problem.ts';

/**
 * Has a paused step sent when it is due.
 * @throws Problem `invalid_state` if none is paused.
 */
export function resumeSteps(database: Database, author: Author, campaignId: string, now: Date): Promise<void> {
  return database.transaction(async (transaction) => {
    const resumed = await resumePaused(transaction, { tenantId: author.tenantId, campaignId }, now);
    if (resumed.length === 0) throw new Problem('invalid_state', 'No step is paused');
    await recordAudit(transaction, author, {
      action: 'campaign.resume_steps',
      objectType: 'campaign',
      objectId: campaignId,
      after: { steps: resumed.map(({ position }) => position) },
    });
  });
}
