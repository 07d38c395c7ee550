import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { listsOf } from '#db/outreach/audiences/source.ts';
import { keepLists } from '#db/outreach/audiences/uses.ts';
import { extendByChunks } from '#db/outreach/sends/audience-hash.ts';
import { addToControl } from '#db/outreach/sends/control/holding-back.ts';
import {
  addPage,
  advance,
  lockCampaign,
  lockPreparing,
  nextPage,
  type Preparing,
} from '#db/outreach/sends/freezing.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { DispatchKey } from '#db/outreach/sends/ledger/ledger.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { holdIfLarge } from './approval/hold-if-large.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';
import { settleOvertaken } from './ledger/settle-overtaken.ts';

/**
 * Locked in the order of everything else that locks both, with what the platform has reported since settled: a retry
 * does not take over what was sent. Null if it is frozen, or there is no such send.
 */
async function lock(transaction: Transaction, key: DispatchKey, now: Date): Promise<Preparing | null> {
  const campaign = await firstRow<CampaignKey & { dispatches: number }>(transaction, lockCampaign, { ...key });
  if (campaign && campaign.dispatches > 1) await settleOvertaken(transaction, campaign, now);
  return firstRow<Preparing>(transaction, lockPreparing, { ...key });
}

const plus = (one: AudiencePreview['excluded'], other: AudiencePreview['excluded']): AudiencePreview['excluded'] => ({
  expiredTags: one.expiredTags + other.expiredTags,
  unsubscribed: one.unsubscribed + other.unsubscribed,
  unreachable: one.unreachable + other.unreachable,
  controlGroup: one.controlGroup + other.controlGroup,
});

/** The snapshot of a send so far. */
export interface Frozen {
  campaignId: string;
  complete: boolean;
  /** Those to be sent to. */
  audienceCount: number;
  /** Those held back. */
  controlCount: number;
  /** Those whom the audience reaches and the send does not, because an earlier run reached them or they are in no sample or case. */
  leftOutCount: number;
  excluded: AudiencePreview['excluded'];
}

/**
 * Adds the next page of its audience to the snapshot of a send, in the caller's transaction.
 * @returns null if the snapshot was complete, or there is no such send.
 */
export async function freezePage(transaction: Transaction, key: DispatchKey, now: Date): Promise<Frozen | null> {
  const preparing = await lock(transaction, key, now);
  if (!preparing) return null;
  // Nobody replaces a list between the pages, and what is replaced now is read whole.
  if (preparing.source) await keepLists(transaction, listsOf(preparing.source));
  const { preview, through, held, leftOut, noCase } = await nextPage(transaction, preparing);
  const complete = through === null;
  const contacts = preview.reachableCount - leftOut - held;
  const total = preparing.frozenCount + contacts;
  const { chunks, armCounts } = await addPage(transaction, preparing, { contacts, complete, now });
  const { dispatchId } = key;
  if (held > 0) await addToControl(transaction, { dispatchId, before: preparing.controlCount });
  const audienceHash = await extendByChunks(transaction, preparing.audienceHash, { dispatchId, chunks });
  const excluded = plus(preparing.frozenExcluded, preview.excluded);
  await rows(transaction, advance, {
    dispatchId,
    total,
    through,
    excluded: JSON.stringify(excluded),
    audienceHash,
    held,
    leftOut,
    noCase,
    armCounts,
    complete,
    now,
  });
  if (complete) await refreshCampaign(transaction, preparing, now);
  return {
    campaignId: preparing.campaignId,
    complete,
    audienceCount: total,
    controlCount: preparing.controlCount + held,
    leftOutCount: preparing.leftOutCount + leftOut,
    excluded,
  };
}

/**
 * Adds the next page in a transaction of its own. What needs approval once its audience is known is paused.
 * @returns whether the snapshot is complete now.
 */
export async function freezeNextPage(database: Database, key: DispatchKey, now: Date): Promise<boolean> {
  const frozen = await database.transaction(async (transaction) => {
    const page = await freezePage(transaction, key, now);
    if (page?.complete) await holdIfLarge(transaction, { ...key, ...page }, now);
    return page;
  });
  return frozen?.complete ?? true;
}
