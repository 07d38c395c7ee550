import { rows, type Transaction } from '#db/database.ts';
import { countAudience, isTooLargeToCount, keptCount } from '#db/outreach/audiences/counts.ts';
import { nobodyExcluded } from '#db/outreach/audiences/reach-counts.ts';
import { candidateCount } from '#db/outreach/audiences/resolution.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { markSent, setCounts } from '#db/outreach/sends/dispatches.ts';
import { CONTACTS_PER_PAGE, fitsOnePage } from '#db/outreach/sends/freezing.ts';
import { type Counted, insertSend } from '#db/outreach/sends/inserting.ts';
import { insertTest } from '#db/outreach/sends/variants/evaluation.ts';
import { insertSteps } from '#db/outreach/steps/steps.ts';
import { Problem } from '#domain/api/problem.ts';
import { expectedControl } from '#domain/campaigns/lift/holdout.ts';
import { expectedTaken } from '#domain/campaigns/take.ts';
import { invalidTimes, plannedFreeze, plannedStart } from '#domain/campaigns/times.ts';
import { assertComplete, audienceSource, keepForSend } from '../audiences/source.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { assertCounts, type SendRequest } from './dispatches.ts';
import { freezePage, type Frozen } from './freeze-page.ts';

/**
 * When a scheduled campaign starts; null for an immediate one.
 * @throws Problem `invalid_content` for times that have passed since they were written, and for a service number that
 * is no longer active.
 */
async function startOf(transaction: Transaction, campaign: CampaignRecord, now: Date): Promise<Date | null> {
  await assertActiveServiceNumber(transaction, campaign.tenantId, campaign.serviceNumberId);
  const errors = invalidTimes(campaign, now);
  if (errors.length > 0) throw new Problem('invalid_content', 'The campaign’s times have passed', { errors });
  return plannedStart(campaign);
}

const nobody = { reachableCount: 0, excluded: nobodyExcluded };

/**
 * How many the last preview counted; without one, how many the audience has at most.
 * @throws Problem `audience_changed` where the caller expects a number and nothing was counted.
 */
async function countedBefore(
  transaction: Transaction,
  campaign: CampaignRecord,
  source: AudienceSource,
  expected: number | null,
): Promise<Counted> {
  const counted = await keptCount(transaction, campaign, source);
  if (counted === null && expected !== null)
    throw new Problem('audience_changed', 'An audience of this size must be previewed before it is sent to');
  return (
    counted ?? {
      ...nobody,
      reachableCount: await candidateCount(transaction, campaign, source, CONTACTS_PER_PAGE),
    }
  );
}

/**
 * Whom a send that is too large to be frozen at once will reach: as it is counted now, or was counted by the last
 * preview if it is too large for that, too.
 * @throws Problem `audience_changed`, `audience_empty`.
 */
async function countForSend(
  transaction: Transaction,
  campaign: CampaignRecord,
  source: AudienceSource,
  { now, expectedReachableCount: expected }: SendRequest,
): Promise<Counted> {
  const known = (await isTooLargeToCount(transaction, campaign, source))
    ? await countedBefore(transaction, campaign, source, expected)
    : await countAudience(transaction, campaign, source, now);
  assertCounts(known, expected);
  return known;
}

/** Who is taken and who is held back is known once the contacts are read. */
function expectedCounts(
  { reachableCount, excluded }: Counted,
  { holdoutPercent }: CampaignRecord,
  { take }: AudienceSource,
): Counted {
  const taken = expectedTaken(reachableCount, take);
  return { reachableCount: taken - expectedControl(taken, holdoutPercent), excluded };
}

/** @throws Problem `audience_empty`, which a handful of contacts may be once some are left out or held back. */
function assertSomebody({ audienceCount, controlCount, leftOutCount }: Frozen): void {
  if (audienceCount > 0) return;
  const why = `${controlCount} would be held back, and ${leftOutCount} left out`;
  throw new Problem('audience_empty', `Nobody of the audience would be sent to: ${why}`);
}

/**
 * Stores a draft's send. A small audience is frozen at once, a large one by the send's workflow, page by page, and one
 * that is resolved at the start by the workflow in any case.
 */
async function storeSend(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { request, scheduledAt }: { request: SendRequest; scheduledAt: Date | null },
): Promise<Counted & { dispatchId: string; number: number }> {
  const { tenantId, serviceNumberId } = campaign;
  const scope = { tenantId, serviceNumberId, path: '/audience' };
  const source = await audienceSource(transaction, scope, campaign.audience);
  await keepForSend(transaction, scope, source);
  await assertComplete(transaction, source);
  const freezeAt = plannedFreeze(campaign);
  const small = freezeAt === null && (await fitsOnePage(transaction, campaign, source));
  const counted = small ? nobody : await countForSend(transaction, campaign, source, request);
  const send = await insertSend(transaction, author, campaign, {
    counted: expectedCounts(counted, campaign, source),
    expected: expectedTaken(
      small ? await candidateCount(transaction, campaign, source, CONTACTS_PER_PAGE) : counted.reachableCount,
      source.take,
    ),
    request,
    scheduledAt,
    freezeAt: freezeAt ?? request.now,
    source,
    retryOf: null,
  });
  const key = { tenantId, dispatchId: send.dispatchId };
  await insertTest(
    transaction,
    { ...key, campaignId: campaign.id },
    { variants: campaign.variants, startsAt: scheduledAt ?? request.now },
  );
  const frozen = small ? await freezePage(transaction, key, request.now) : null;
  if (frozen?.complete) {
    const { audienceCount, controlCount, leftOutCount, excluded } = frozen;
    const reachableCount = audienceCount + controlCount + leftOutCount;
    assertCounts({ reachableCount }, request.expectedReachableCount);
    assertSomebody(frozen);
    return { ...send, reachableCount, excluded };
  }
  // It is larger than the stored counts said.
  const { reachableCount, excluded } = frozen ? await countForSend(transaction, campaign, source, request) : counted;
  const known = { reachableCount, excluded };
  if (frozen) await setCounts(transaction, send.dispatchId, expectedCounts(known, campaign, source));
  return { ...send, ...known };
}

/** Who confirmed the send, if not its author, and the request. */
export interface Confirmation {
  request: SendRequest;
  confirmedBy: string;
}

/**
 * Stores the send of a draft whose lock the caller holds.
 * @returns the send, and how many contacts its audience reaches, those left out and held back included.
 * @throws Problem `audience_changed`, `audience_empty`, `invalid_content`.
 */
export async function acceptSend(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { request, confirmedBy }: Confirmation,
): Promise<{ dispatchId: string; number: number; reachableCount: number }> {
  const { tenantId, id } = campaign;
  const scheduledAt = await startOf(transaction, campaign, request.now);
  const { dispatchId, number, reachableCount, excluded } = await storeSend(
    transaction,
    { ...author, userId: confirmedBy },
    campaign,
    { request, scheduledAt },
  );
  await insertSteps(transaction, { tenantId, campaignId: id }, { steps: campaign.steps, now: request.now });
  const status = scheduledAt === null ? 'sending' : 'scheduled';
  await rows(transaction, markSent, { tenantId, campaignId: id, number, status, now: request.now });
  await recordAudit(transaction, author, {
    action: 'campaign.send',
    objectType: 'campaign',
    objectId: id,
    before: { status: campaign.status },
    after: { status, dispatchId, reachableCount, excluded, scheduledAt },
  });
  return { dispatchId, number, reachableCount };
}
