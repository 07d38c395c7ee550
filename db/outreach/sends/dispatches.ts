import type { AudiencePreview } from '../../../domain/api/audiences.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { expectedControl } from '../../../domain/campaigns/lift/holdout.ts';
import { invalidTimes, plannedFreeze, plannedStart } from '../../../domain/campaigns/times.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../campaigns/campaigns.ts';
import { countAudience, isTooLargeToCount, keptCount } from '../audiences/counts.ts';
import { candidateCount } from '../audiences/resolution.ts';
import { assertComplete, type AudienceSource, audienceSource } from '../audiences/source.ts';
import { DispatchRow } from '../models/sends.ts';
import { IntegrationRow } from '../models/tenants.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { isAskedFor, limitOfSend, openApproval, requestApproval } from './approval/requests.ts';
import { groundsForApproval } from './approval/sum.ts';
import { CONTACTS_PER_PAGE, fitsOnePage, type Frozen, freezePage } from './freezing.ts';
import { type Counted, insertSend } from './inserting.ts';
import { insertSteps } from '../steps/steps.ts';
import { insertTest } from './variants/looking.ts';

export interface SendRequest {
  idempotencyKey: string | null;
  /** The count that the operator saw; null if the caller does not care. */
  expectedReachableCount: number | null;
  now: Date;
}

export interface Sent {
  campaign: CampaignRecord;
  /** Null if this key was already sent, or waits for approval: no send was stored. */
  dispatch: { dispatchId: string; number: number } | null;
}

/**
 * Compares with what the operator saw: all whom the audience reaches, those who will be held back as well.
 * @throws Problem `audience_changed`, `audience_empty`.
 */
export function assertCounts(
  { reachableCount }: Pick<AudiencePreview, 'reachableCount'>,
  expected: number | null,
): void {
  if (expected !== null && expected !== reachableCount)
    throw new Problem('audience_changed', `The audience now reaches ${reachableCount} contacts, not ${expected}`);
  if (reachableCount === 0) throw new Problem('audience_empty', 'The audience reaches nobody');
}

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

export async function isRepeated(transaction: Transaction, campaignId: string, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const found = await DispatchRow.query(transaction).select('dispatchId').findOne({ campaignId, idempotencyKey: key });
  return found !== undefined;
}

/**
 * Locked against an uninstallation until the send is stored: either the uninstallation sees the open campaign, or the
 * send sees the tenant without an integration. Taken before the campaign's lock, in the same order as an
 * uninstallation.
 */
export async function assertInstalled(transaction: Transaction, tenantId: string): Promise<void> {
  const active = await IntegrationRow.query(transaction)
    .select('tenantIntegrationId')
    .findOne({ tenantId, status: 'ACTIVE' })
    .forShare();
  if (!active) throw new Problem('forbidden', 'The tenant has no active integration');
}

const markSent = `
  update campaign set status = :status, dispatches = :number, sent_at = :now, updated_at = :now, version = version + 1,
    sent_name = coalesce(sent_name, name)
  where tenant_id = :tenantId and campaign_id = :campaignId`;

const nobody = { reachableCount: 0, excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 0 } };

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

/** Who is held back is known once the contacts are read. */
const withoutControl = ({ reachableCount, excluded }: Counted, { holdoutPercent }: CampaignRecord): Counted => ({
  reachableCount: reachableCount - expectedControl(reachableCount, holdoutPercent),
  excluded,
});

/** @throws Problem `audience_empty`, which a handful of contacts may be once some are held back. */
function assertSomebody({ audienceCount, controlCount }: Pick<Frozen, 'audienceCount' | 'controlCount'>): void {
  if (audienceCount === 0)
    throw new Problem('audience_empty', `All ${controlCount} contacts of the audience would be held back`);
}

async function setCounts(
  transaction: Transaction,
  dispatchId: string,
  { reachableCount, excluded }: Counted,
): Promise<void> {
  await rows(
    transaction,
    `update dispatch set audience_count = :reachableCount, excluded = :excluded::jsonb where dispatch_id = :dispatchId`,
    { dispatchId, reachableCount, excluded: JSON.stringify(excluded) },
  );
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
  await assertComplete(transaction, source);
  const freezeAt = plannedFreeze(campaign);
  const small = freezeAt === null && (await fitsOnePage(transaction, campaign, source));
  const counted = small ? nobody : await countForSend(transaction, campaign, source, request);
  const send = await insertSend(transaction, author, campaign, {
    counted: withoutControl(counted, campaign),
    expected: small ? await candidateCount(transaction, campaign, source, CONTACTS_PER_PAGE) : counted.reachableCount,
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
    const { audienceCount, controlCount, excluded } = frozen;
    const reachableCount = audienceCount + controlCount;
    assertCounts({ reachableCount }, request.expectedReachableCount);
    assertSomebody(frozen);
    return { ...send, reachableCount, excluded };
  }
  // It is larger than the stored counts said.
  const { reachableCount, excluded } = frozen ? await countForSend(transaction, campaign, source, request) : counted;
  const known = { reachableCount, excluded };
  if (frozen) await setCounts(transaction, send.dispatchId, withoutControl(known, campaign));
  return { ...send, ...known };
}

/** Who confirmed the send, if not its author, and the request. */
export interface Confirmation {
  request: SendRequest;
  confirmedBy: string;
}

/**
 * Stores the send of a draft whose lock the caller holds.
 * @returns the send, and how many contacts its audience reaches, those held back included.
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

/**
 * Stores the send, or only that it was asked for if it reaches more contacts than one person may send to: how many is
 * known once they are frozen, which is then taken back.
 * @returns the send; null if it waits for approval.
 */
async function sendOrAsk(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  request: SendRequest,
): Promise<Sent['dispatch']> {
  const confirmed = { request, confirmedBy: author.userId };
  const above = await limitOfSend(transaction, { tenantId: author.tenantId, campaignId: campaign.id });
  if (above === null) {
    const { dispatchId, number } = await acceptSend(transaction, author, campaign, confirmed);
    return { dispatchId, number };
  }
  const savepoint = await transaction.transaction();
  const send = await acceptSend(savepoint, author, campaign, confirmed).catch(async (error: unknown) => {
    await savepoint.rollback();
    throw error;
  });
  const key = { tenantId: author.tenantId, campaignId: campaign.id };
  const asked = { contacts: send.reachableCount, above, person: author.userId, now: request.now };
  const grounds = await groundsForApproval(transaction, key, asked);
  if (!grounds) {
    await savepoint.commit();
    return { dispatchId: send.dispatchId, number: send.number };
  }
  await savepoint.rollback();
  await requestApproval(transaction, author, campaign.id, {
    ...grounds,
    dispatchId: null,
    contacts: send.reachableCount,
    above,
    idempotencyKey: request.idempotencyKey,
    requestedBy: author.userId,
    status: campaign.status,
    now: request.now,
  });
  return null;
}

/**
 * Stores the send of a draft: all or nothing. Of several concurrent calls one sends; those with its key get the same
 * result.
 * @throws Problem `forbidden`, `not_found`, `invalid_state`, `audience_changed`, `audience_empty`, `invalid_content`.
 */
export function sendCampaign(database: Database, author: Author, id: string, request: SendRequest): Promise<Sent> {
  const { tenantId } = author;
  const key = { tenantId, campaignId: id };
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const campaign = await lockCampaign(transaction, tenantId, id);
    if (await isRepeated(transaction, id, request.idempotencyKey)) return { campaign, dispatch: null };
    if (await isAskedFor(transaction, key, request.idempotencyKey)) return { campaign, dispatch: null };
    if (campaign.status !== 'draft')
      throw new Problem('invalid_state', `A campaign that is ${campaign.status} cannot be sent`);
    if (await openApproval(transaction, key)) throw new Problem('invalid_state', 'The send waits for approval');
    const dispatch = await sendOrAsk(transaction, author, campaign, request);
    const after = await findCampaign(transaction, tenantId, id);
    return { campaign: after ?? campaign, dispatch };
  });
}
