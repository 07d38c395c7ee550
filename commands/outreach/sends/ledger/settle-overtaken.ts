import { rows, type Transaction } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { countTwice, findOvertaken, takeBack } from '#db/outreach/sends/ledger/overtaken.ts';
import { type Chunk, giveBack, withholdOthers } from '#db/outreach/sends/ledger/withholding.ts';

interface Overtaken extends Chunk {
  /** False for contacts that were taken out of a sub-task before it turned out to have been sent. */
  whole: boolean;
}

/** Kept with the campaign, because the contacts of its sends are not; told once, whenever it has grown. */
async function recordTwice(transaction: Transaction, key: CampaignKey, contacts: number, now: Date): Promise<void> {
  const grown = await rows(
    transaction,
    `update campaign set sent_twice = :contacts, sent_twice_at = :now, updated_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and sent_twice < :contacts returning 1`,
    { ...key, contacts, now },
  );
  if (grown.length === 0) return;
  await recordAudit(
    transaction,
    { tenantId: key.tenantId, userId: 'platform', requestId: null },
    { action: 'campaign.sent_twice', objectType: 'campaign', objectId: key.campaignId, after: { contacts } },
  );
}

/**
 * Settles sub-tasks of a retried campaign that turned out to be at the platform: whoever they reach is kept from being
 * sent to again where that is still possible, and counted as sent to twice where it was too late. In a transaction
 * that holds the campaign's lock.
 */
export async function settleOvertaken(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  await giveBack(transaction, key);
  const overtaken = await rows<Overtaken>(transaction, findOvertaken, { ...key });
  if (overtaken.length === 0) return;
  for (const one of overtaken) {
    await withholdOthers(transaction, key, one, now);
    if (one.whole) await takeBack(transaction, key, one);
  }
  const contacts = await countTwice(transaction, key, overtaken);
  if (contacts > 0) await recordTwice(transaction, key, contacts, now);
}
