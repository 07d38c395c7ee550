import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import type { RevisionCheck } from '../revision-check.ts';
import { isWaiting, lockAutomation, noteChange, refuse } from './automations.ts';

/** Deletes a draft. @throws Problem `not_found`, `invalid_state`, `stale`. */
export function deleteAutomation(
  database: Database,
  author: Author,
  automationId: string,
  checkRevision: RevisionCheck,
): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockAutomation(transaction, { tenantId, automationId });
    if (before.status !== 'draft') throw refuse(before, 'deleted');
    if (isWaiting(before)) throw new Problem('invalid_state', 'It waits for approval: withdraw the request first');
    checkRevision(before.revision);
    await CampaignRow.query(transaction).delete().where({ tenantId, campaignId: automationId });
    await noteChange(transaction, author, 'delete', { before });
  });
}
