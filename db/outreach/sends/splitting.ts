import type { AudiencePreview } from '../../../domain/api/audiences.ts';
import { rows, type Transaction } from '../../database.ts';
import { overClassifiedContacts, previewOf, type ReachCounts, reachCounts } from '../audiences/resolution.ts';
import { type AudienceSource, audienceSource } from '../audiences/source.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';

/** At most this many contacts in one broadcast task (S0, Limits). */
export const CONTACTS_PER_SUB_TASK = 1000;

/** The table `resolved`, which ends with the transaction: no id of an audience ever comes into this process. */
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
 * Puts the whole audience of a campaign as it is at `now`, classified, into the table `resolved`.
 * @throws Problem `invalid_content` for references that do not hold.
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

/** What `resolved` reaches: SHA-256 over the ids in byte order, one a line. */
export const resolvedHash = `(
  select encode(sha256(convert_to(coalesce(string_agg(contact_id, E'\\n' order by contact_id), ''), 'UTF8')), 'hex')
  from resolved where class = 'reachable')`;

/** Every contact of `resolved` with the number of the sub-task that it goes into: `contact_id`, `class`, `chunk`. */
export const resolvedChunks = `
  select contact_id, class, (row_number() over (partition by class order by contact_id) - 1) / :size::int as chunk
  from resolved`;
