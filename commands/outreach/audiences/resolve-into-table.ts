import { rows, type Transaction } from '#db/database.ts';
import { previewOf, reachCounts, type ReachCounts } from '#db/outreach/audiences/reach-counts.ts';
import { type ResolvedAudience, resolveAll } from '#db/outreach/audiences/resolved-table.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { audienceSource } from './source.ts';

/**
 * Puts the whole audience of a campaign as of `now`, classified, into the table `resolved`.
 * @throws Problem `invalid_content` for invalid references.
 */
export async function resolveIntoTable(
  transaction: Transaction,
  campaign: CampaignRecord,
  now: Date,
): Promise<ResolvedAudience> {
  const { tenantId, serviceNumberId } = campaign;
  const scope = { tenantId, serviceNumberId, path: '/audience' };
  const source = await audienceSource(transaction, scope, campaign.audience);
  await resolveAll(transaction, scope, { source, now });
  const [counts] = await rows<ReachCounts>(transaction, `select ${reachCounts} from resolved`, {});
  return { source, preview: previewOf(counts) };
}
