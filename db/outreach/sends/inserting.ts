import { uuidv7 } from 'uuidv7';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { subTaskSize } from '#domain/campaigns/pace/pace.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { Author } from '../audit/record.ts';
import { type AudienceSource, definitionOf } from '../audiences/source.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';

/** How many an audience reaches, and why not the others. */
export type Counted = Pick<AudiencePreview, 'reachableCount' | 'excluded'>;

const insertDispatch = `
  insert into dispatch (dispatch_id, tenant_id, campaign_id, number, retry_of, idempotency_key, scheduled_at, source,
    freeze_at, audience_count, audience_hash, excluded, sub_task_size, created_by, created_at)
  values (:dispatchId, :tenantId, :campaignId, :number, :retryOf, :idempotencyKey, :scheduledAt, :source::jsonb,
    :freezeAt, :audienceCount, '', :excluded::jsonb, :subTaskSize, :userId, :now)`;

interface NewSend {
  /** Facts about the audience before its contacts are read. */
  counted: Counted;
  /** About how many contacts there will be, where that is more than counted. */
  expected?: number;
  request: { idempotencyKey: string | null; now: Date };
  scheduledAt: Date | null;
  /** When the audience is to be resolved. */
  freezeAt: Date;
  /** The audience; null for a send that repeats a part of the campaign's first, `retryOf`. */
  source: AudienceSource | null;
  retryOf: string | null;
}

/** Stores a send, whose audience is yet to be frozen. */
export async function insertSend(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { counted, expected = counted.reachableCount, request, scheduledAt, freezeAt, source, retryOf }: NewSend,
): Promise<{ dispatchId: string; number: number }> {
  const number = campaign.dispatches + 1;
  const dispatchId = uuidv7();
  await rows(transaction, insertDispatch, {
    dispatchId,
    number,
    scheduledAt,
    freezeAt,
    retryOf,
    source: source === null ? null : JSON.stringify(definitionOf(source)),
    tenantId: campaign.tenantId,
    campaignId: campaign.id,
    idempotencyKey: request.idempotencyKey,
    excluded: JSON.stringify(counted.excluded),
    audienceCount: counted.reachableCount,
    subTaskSize: subTaskSize(campaign.pace, scheduledAt ?? request.now, expected),
    userId: author.userId,
    now: request.now,
  });
  return { dispatchId, number };
}
