import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import { assertPossible } from '#domain/sends/actions.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';

interface Change {
  action: 'pause' | 'resume' | 'cancel';
  now: Date;
  /** Runs with the campaign locked, where the action is possible. */
  apply: (transaction: Transaction) => Promise<void>;
}

/** One state change of a campaign, with its audit row. @throws Problem `not_found`, and what `assertPossible` throws. */
export function changeState(
  database: Database,
  author: Author,
  id: string,
  { action, now, apply }: Change,
): Promise<CampaignRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, tenantId, id);
    assertPossible(action, await readSendFacts(transaction, before, now));
    await apply(transaction);
    const after = await findCampaign(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action: `campaign.${action}`,
      objectType: 'campaign',
      objectId: id,
      before: { status: before.status, pauseReason: before.pauseReason },
      after: { status: after?.status, pauseReason: after?.pauseReason },
    });
    return after ?? before;
  });
}
