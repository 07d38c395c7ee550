import type { AudiencePreview } from '../../../domain/api/audiences.ts';
import { rows, type Transaction } from '../../database.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';
import { overClassifiedContacts, previewOf, type ReachCounts, reachCounts } from './resolution.ts';
import { type AudienceSource, audienceSource } from './source.ts';

/**
 * Creates the table `resolved`, which is dropped with the transaction: no id of an audience ever enters this process.
 */
export async function createResolvedTable(transaction: Transaction): Promise<void> {
  await transaction.raw(
    'create temporary table resolved (contact_id text collate "C" not null, class text not null) on commit drop',
  );
}

export interface ResolvedAudience {
  source: AudienceSource;
  preview: AudiencePreview;
}

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
  await createResolvedTable(transaction);
  await overClassifiedContacts(
    transaction,
    scope,
    { source, now },
    (classified) => `insert into resolved ${classified}`,
  );
  const [counts] = await rows<ReachCounts>(transaction, `select ${reachCounts} from resolved`, {});
  return { source, preview: previewOf(counts) };
}

/** SQL: SHA-256 over the ids that `resolved` reaches, in byte order, one per line. */
export const resolvedHash = `(
  select encode(sha256(convert_to(coalesce(string_agg(contact_id, E'\\n' order by contact_id), ''), 'UTF8')), 'hex')
  from resolved where class = 'reachable')`;
