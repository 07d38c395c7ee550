import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';

interface Change {
  action: 'campaign.pause' | 'campaign.resume' | 'campaign.cancel';
  /** Runs with the campaign locked; throws `invalid_state`. */
  apply: (transaction: Transaction, campaign: CampaignRecord) => Promise<void>;
}

/** One state change of a campaign, with its audit row. */
export function changeState(
  database: Database,
  author: Author,
  id: string,
  { action, apply }: Change,
): Promise<CampaignRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, tenantId, id);
    await apply(transaction, before);
    const after = await findCampaign(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action,
      objectType: 'campaign',
      objectId: id,
      before: { status: before.status, pauseReason: before.pauseReason },
      after: { status: after?.status, pauseReason: after?.pauseReason },
    });
    return after ?? before;
  });
}

export const invalidState = (campaign: CampaignRecord, what: string) =>
  new Problem('invalid_state', `A campaign that is ${campaign.status} cannot be ${what}`);
