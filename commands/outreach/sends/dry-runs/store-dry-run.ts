import { uuidv7 } from 'uuidv7';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { keepCount } from '#db/outreach/audiences/counts.ts';
import type { ResolvedAudience } from '#db/outreach/audiences/resolved-table.ts';
import { definitionOf } from '#db/outreach/audiences/source.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { DryRunRow } from '#db/outreach/models/sends.ts';
import { hashOfDryRun } from '#db/outreach/sends/audience-hash.ts';
import { holdBack } from '#db/outreach/sends/control/holding-back.ts';
import { leaveOutUntaken } from '#db/outreach/sends/control/taking.ts';
import { findSameAudience, insertParts, insertRun, type SameAudience } from '#db/outreach/sends/dry-runs/dry-runs.ts';
import { CONTACTS_PER_SUB_TASK, resolvedChunks } from '#db/outreach/sends/splitting.ts';
import { drawArms } from '#db/outreach/sends/variants/drawing.ts';
import { type ArmCounts, armsResolved, partsByArm } from '#db/outreach/sends/variants/splitting.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { Problem } from '#domain/api/problem.ts';
import { resolveIntoTable } from '#commands/outreach/audiences/resolve-into-table.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';

/** What `:send` would store now. */
export interface StoredDryRun {
  campaign: CampaignRecord;
  /** Without the holdout, and whoever is in no sample. */
  preview: AudiencePreview;
  /** The holdout. */
  controlCount: number;
  /** The number of contacts in each sub-task. */
  chunkSizes: number[];
  /** The contacts of the first sub-tasks; with variants, of the first of each. */
  firstChunks: { variant: number | null; contactIds: string[] }[];
  /** How many would get which variant, and how many none, by arm; null without variants. */
  arms: ArmCounts | null;
  /** The newest send of the service number to exactly these contacts. */
  sameAudience: SameAudience | null;
}

/** Replaces the campaign's last dry run with the table `resolved`. */
async function keep(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  {
    source,
    preview,
    audienceCount,
    controlCount,
    now,
  }: ResolvedAudience & { audienceCount: number; controlCount: number; now: Date },
): Promise<string> {
  const dryRunId = uuidv7();
  await DryRunRow.query(transaction).delete().where({ campaignId: campaign.id });
  await rows(transaction, insertRun, {
    dryRunId,
    now,
    tenantId: author.tenantId,
    campaignId: campaign.id,
    definition: JSON.stringify(definitionOf(source)),
    audienceCount,
    userId: author.userId,
  });
  await rows(transaction, insertParts(campaign.variants === null ? resolvedChunks : partsByArm), {
    dryRunId,
    before: 0,
    size: CONTACTS_PER_SUB_TASK,
  });
  await DryRunRow.query(transaction)
    .where({ dryRunId })
    .patch({ audienceHash: await hashOfDryRun(transaction, dryRunId) });
  await keepCount(transaction, campaign, source, { preview, now });
  await recordAudit(transaction, author, {
    action: 'campaign.dry_run',
    objectType: 'campaign',
    objectId: campaign.id,
    after: { ...preview, ...(campaign.holdoutPercent === null ? {} : { controlCount }) },
  });
  return dryRunId;
}

/**
 * Resolves a draft's audience, splits it as `:send` does, and keeps the set; nothing is sent, and the draft does not
 * change. `requests` is the number of sub-tasks returned with their contacts; sends before `sentAfter` do not count
 * as duplicates.
 * @throws Problem `not_found`, `invalid_state` unless it is a draft, `stale`, `invalid_content`.
 */
export function storeDryRun(
  database: Database,
  author: Author,
  id: string,
  {
    now,
    requests,
    sentAfter,
    checkRevision,
  }: { now: Date; requests: number; sentAfter: Date; checkRevision: RevisionCheck },
): Promise<StoredDryRun> {
  return database.transaction(async (transaction) => {
    const campaign = await lockCampaign(transaction, author.tenantId, id);
    if (campaign.status !== 'draft')
      throw new Problem('invalid_state', `A campaign that is ${campaign.status} can no longer have a dry run`);
    checkRevision(campaign.revision);
    const resolved = await resolveIntoTable(transaction, campaign, now);
    const { take } = resolved.source;
    const untaken = await leaveOutUntaken(transaction, { campaignId: id, take });
    const controlCount = await holdBack(transaction, { campaignId: id, holdoutPercent: campaign.holdoutPercent });
    await drawArms(transaction, { campaignId: id, variants: campaign.variants });
    const arms = campaign.variants && (await armsResolved(transaction));
    const audienceCount = resolved.preview.reachableCount - untaken - controlCount;
    const dryRunId = await keep(transaction, author, campaign, { ...resolved, audienceCount, controlCount, now });
    const shown = campaign.variants === null ? requests : campaign.variants.others.length + 1;
    const parts = await rows<{ part: number; contactCount: number; contactIds: string[] | null }>(
      transaction,
      `select part, cardinality(contact_ids) as contact_count, case when part < :shown then contact_ids end as contact_ids
       from dry_run_part where dry_run_id = :dryRunId and class = 'reachable' order by part`,
      { dryRunId, shown },
    );
    return {
      campaign,
      preview: { ...resolved.preview, reachableCount: audienceCount },
      controlCount,
      chunkSizes: parts.map(({ contactCount }) => contactCount),
      firstChunks: parts.flatMap(({ part, contactIds }) =>
        contactIds ? [{ variant: campaign.variants && part, contactIds }] : [],
      ),
      arms,
      sameAudience: await findSameAudience(transaction, campaign, { dryRunId, sentAfter }),
    };
  });
}
