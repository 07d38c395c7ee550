import { type Database, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { cancel } from '#db/outreach/steps/steps.ts';
import { Problem } from '#domain/api/problem.ts';

/**
 * Cancels the steps that were not sent, from the one at `from` on.
 * @throws Problem `invalid_state` if there is none.
 */
export function cancelSteps(
  database: Database,
  author: Author,
  campaignId: string,
  { from, now }: { from: number; now: Date },
): Promise<void> {
  const key = { tenantId: author.tenantId, campaignId };
  return database.transaction(async (transaction) => {
    const cancelled = await rows<{ position: number }>(transaction, cancel, { ...key, from, now, reason: 'operator' });
    if (cancelled.length === 0) throw new Problem('invalid_state', 'No step waits to be sent');
    await recordAudit(transaction, author, {
      action: 'campaign.cancel_steps',
      objectType: 'campaign',
      objectId: campaignId,
      after: { steps: cancelled.map(({ position }) => position).toSorted() },
    });
  });
}
