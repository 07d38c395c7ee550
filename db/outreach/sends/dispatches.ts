import { uuidv7 } from 'uuidv7';
import type { AudiencePreview } from '../../../domain/api/audiences.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { invalidTimes, plannedStart } from '../../../domain/campaigns/times.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { recordDrift } from './drift.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../campaigns/campaigns.ts';
import { resolvedHash, resolveIntoTable } from '../audiences/resolved-table.ts';
import { DispatchRow } from '../models/sends.ts';
import { IntegrationRow } from '../models/tenants.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { splitIntoSubTasks } from './splitting.ts';

export interface SendRequest {
  idempotencyKey: string | null;
  /** The count that the operator saw; null if the caller does not care. */
  expectedReachableCount: number | null;
  now: Date;
}

export interface Sent {
  campaign: CampaignRecord;
  /** Null if this key was already sent: nothing new was stored. */
  dispatch: { dispatchId: string; number: number } | null;
}

function assertCounts({ reachableCount }: AudiencePreview, expected: number | null): void {
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

const insertDispatch = `
  insert into dispatch (dispatch_id, tenant_id, campaign_id, number, retry_of, idempotency_key, scheduled_at, audience_count,
    audience_hash, excluded, created_by, created_at)
  values (:dispatchId, :tenantId, :campaignId, :number, :retryOf, :idempotencyKey, :scheduledAt, :audienceCount,
    ${resolvedHash}, :excluded::jsonb, :userId, :now)`;

export interface Frozen {
  preview: Pick<AudiencePreview, 'reachableCount' | 'excluded'>;
  request: Pick<SendRequest, 'idempotencyKey' | 'now'>;
  scheduledAt: Date | null;
  /** The first send of the campaign, if this one repeats a part of it. */
  retryOf: string | null;
}

/** Stores a send to the `reachable` contacts of the table `resolved`: its snapshot and its sub-tasks. */
export async function freeze(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { preview, request, scheduledAt, retryOf }: Frozen,
): Promise<{ dispatchId: string; number: number }> {
  const number = campaign.dispatches + 1;
  const dispatchId = uuidv7();
  const shared = {
    dispatchId,
    number,
    scheduledAt,
    retryOf,
    tenantId: campaign.tenantId,
    campaignId: campaign.id,
    idempotencyKey: request.idempotencyKey,
    excluded: JSON.stringify(preview.excluded),
    audienceCount: preview.reachableCount,
    userId: author.userId,
    now: request.now,
  };
  await rows(transaction, insertDispatch, shared);
  await splitIntoSubTasks(transaction, shared);
  return { dispatchId, number };
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
  update campaign set status = :status, dispatches = :number, sent_at = :now, updated_at = :now, version = version + 1
  where tenant_id = :tenantId and campaign_id = :campaignId`;

/**
 * Resolves a draft's audience, freezes it and stores its sub-tasks in one transaction: all or nothing. Of several
 * concurrent calls one sends; those with its key get the same result.
 * @throws Problem `forbidden`, `not_found`, `invalid_state`, `audience_changed`, `audience_empty`, `invalid_content`.
 */
export function sendCampaign(database: Database, author: Author, id: string, request: SendRequest): Promise<Sent> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const campaign = await lockCampaign(transaction, tenantId, id);
    if (await isRepeated(transaction, id, request.idempotencyKey)) return { campaign, dispatch: null };
    if (campaign.status !== 'draft')
      throw new Problem('invalid_state', `A campaign that is ${campaign.status} cannot be sent`);
    const { source, preview } = await resolveIntoTable(transaction, campaign, request.now);
    assertCounts(preview, request.expectedReachableCount);
    const scheduledAt = await startOf(transaction, campaign, request.now);
    const dispatch = await freeze(transaction, author, campaign, { preview, request, scheduledAt, retryOf: null });
    await recordDrift(transaction, { campaignId: id, dispatchId: dispatch.dispatchId, source, now: request.now });
    const status = scheduledAt === null ? 'sending' : 'scheduled';
    await rows(transaction, markSent, { tenantId, campaignId: id, number: dispatch.number, status, now: request.now });
    await recordAudit(transaction, author, {
      action: 'campaign.send',
      objectType: 'campaign',
      objectId: id,
      before: { status: campaign.status },
      after: { status, dispatchId: dispatch.dispatchId, ...preview },
    });
    const after = await findCampaign(transaction, tenantId, id);
    return { campaign: after ?? campaign, dispatch };
  });
}
