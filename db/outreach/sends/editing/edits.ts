import type { CampaignPatch } from '#domain/api/campaign.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';

/** How a change of a scheduled campaign ended. */
export type EditOutcome = 'made' | 'too_late' | 'dropped';

/** A change that waits for the platform to cancel the campaign's tasks. */
export interface OpenEdit {
  editId: string;
  patch: CampaignPatch;
  requestedBy: string;
  requestId: string | null;
}

/** Null if there is none. */
export function openEdit(transaction: Transaction, key: CampaignKey): Promise<OpenEdit | null> {
  return firstRow<OpenEdit>(
    transaction,
    `select edit_id, patch, requested_by, request_id from campaign_edit
     where tenant_id = :tenantId and campaign_id = :campaignId and outcome is null`,
    { ...key },
  );
}

export async function closeEdit(
  transaction: Transaction,
  key: CampaignKey,
  { outcome, now }: { outcome: EditOutcome; now: Date },
): Promise<void> {
  await rows(
    transaction,
    `update campaign_edit set outcome = :outcome, settled_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and outcome is null`,
    { ...key, outcome, now },
  );
}

/** Null while it is open. */
export async function editOutcome(
  database: Database,
  { tenantId, editId }: { tenantId: string; editId: string },
): Promise<EditOutcome | null> {
  const row = await firstRow<{ outcome: EditOutcome | null }>(
    database,
    'select outcome from campaign_edit where tenant_id = :tenantId and edit_id = :editId',
    { tenantId, editId },
  );
  return row?.outcome ?? null;
}

/** The newest send of a campaign. */
export interface NewestSend {
  dispatchId: string;
  scheduledAt: Date | null;
  /** Its audience is to be resolved later. */
  unresolved: boolean;
}

/** Null for a draft. */
export function newestSend(transaction: Transaction, key: CampaignKey, now: Date): Promise<NewestSend | null> {
  return firstRow<NewestSend>(
    transaction,
    `select dispatch_id, scheduled_at, frozen_at is null and frozen_count = 0 and freeze_at > :now as unresolved
     from dispatch where tenant_id = :tenantId and campaign_id = :campaignId order by number desc limit 1`,
    { ...key, now },
  );
}

/** The test of a campaign that begins earlier than it did is looked at in time. */
export async function lookEarlier(transaction: Transaction, key: CampaignKey, startsAt: Date): Promise<void> {
  await rows(
    transaction,
    `update variant_test set next_look_at = :startsAt
     where tenant_id = :tenantId and campaign_id = :campaignId and next_look_at > :startsAt`,
    { ...key, startsAt },
  );
}

/**
 * Stores the new start with the campaign's first send, whose time is that of the campaign for retries, its test and its results.
 * Nothing of it is left that could be late.
 */
export async function moveFirstSend(
  transaction: Transaction,
  key: CampaignKey,
  { startsAt, now }: { startsAt: Date; now: Date },
): Promise<void> {
  await rows(
    transaction,
    `update dispatch set scheduled_at = :startsAt, late_at = coalesce(late_at, :now)
     where tenant_id = :tenantId and campaign_id = :campaignId and retry_of is null`,
    { ...key, startsAt, now },
  );
  await lookEarlier(transaction, key, startsAt);
}
