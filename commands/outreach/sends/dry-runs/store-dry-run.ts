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
import { chooseCases } from '#db/outreach/sends/cases.ts';
import { drawArms } from '#db/outreach/sends/variants/drawing.ts';
import { type ArmCounts, armsResolved, divisionOf, partsByArm } from '#db/outreach/sends/variants/splitting.ts';
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
  /** How many would get nothing, because they are in no case. */
  skippedByCase: number;
  /** The number of contacts in each sub-task. */
  chunkSizes: number[];
  /** The contacts of the first sub-tasks; with variants or cases, of the first of each. */
  firstChunks: { variant: number | null; messageCase: number | null; contactIds: string[] }[];
  /** How many would get which variant, and how many none, by arm; null without variants. */
  arms: ArmCounts | null;
  /** How many would get the messages of which case, by its number; null without cases. */
  cases: ArmCounts | null;
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
  const division = divisionOf(campaign);
  await rows(transaction, insertParts(division === null ? resolvedChunks : partsByArm(division)), {
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

/** Up to which number parts are shown: those of the first sub-task of each variant or case; null: without either. */
const shownParts = ({ variants }: CampaignRecord, arms: ArmCounts | null): number | null =>
  variants === null ? (arms?.length ?? null) : variants.others.length + 1;

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
    const skippedByCase = await chooseCases(transaction, campaign, campaign);
    const controlCount = await holdBack(transaction, { campaignId: id, holdoutPercent: campaign.holdoutPercent });
    await drawArms(transaction, { campaignId: id, variants: campaign.variants });
    const division = divisionOf(campaign);
    const arms = division && (await armsResolved(transaction, division));
    const audienceCount = resolved.preview.reachableCount - untaken - skippedByCase - controlCount;
    const dryRunId = await keep(transaction, author, campaign, { ...resolved, audienceCount, controlCount, now });
    const shown = shownParts(campaign, arms) ?? requests;
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
      skippedByCase,
      chunkSizes: parts.map(({ contactCount }) => contactCount),
      firstChunks: parts.flatMap(({ part, contactIds }) =>
        contactIds
          ? [
              {
                variant: division === 'variants' ? part : null,
                messageCase: division === 'cases' ? part : null,
                contactIds,
              },
            ]
          : [],
      ),
      arms: division === 'variants' ? arms : null,
      cases: division === 'cases' ? arms : null,
      sameAudience: await findSameAudience(transaction, campaign, { dryRunId, sentAfter }),
    };
  });
}
