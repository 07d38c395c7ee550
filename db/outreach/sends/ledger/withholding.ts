import { uuidv7 } from 'uuidv7';
import { ALREADY_SENT, ALREADY_SENT_MESSAGE } from '#domain/campaigns/sub-task-errors.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { mayShare, moveContacts } from '../chunks.ts';
import { isAtPlatform, nothingSent, notTakenOver } from './conditions.ts';
import type { CampaignKey } from './campaign-key.ts';

/** Where the contacts of a sub-task are found. */
export interface Chunk {
  key: string;
  dispatchId: string;
  chunk: number;
}

/** A sub-task that has contacts of another one. */
interface Sharing extends Chunk {
  contactCount: number;
  /** How many of its contacts. */
  shared: number;
  /** The send that is to take its contacts over, or was before it was stopped. */
  awaitedBy: string | null;
}

/** SQL condition on a sub-task `t`: it has not been sent, and can still be kept from it. */
const withholdable = `((t.status = 'pending' and t.attempts = 0) or ${nothingSent}
  or (t.status = 'cancelled' and coalesce(t.sent, 0) = 0 and t.error_code is distinct from '${ALREADY_SENT}'))`;

/** The campaign's other sub-tasks `t` that have contacts of the one given, each with how many. */
export const sharing = `
  select t.key, t.dispatch_id, t.chunk, t.contact_count, min(r.shared) as shared, min(p.dispatch_id) as awaited_by
  from dispatch_chunk o
  join dispatch d on d.campaign_id = :campaignId
  join dispatch_chunk c on c.dispatch_id = d.dispatch_id and ${mayShare('c', 'o')}
  join broadcast_task t on t.dispatch_id = c.dispatch_id and t.chunk = c.chunk
  cross join lateral (
    select count(*) as shared from (select unnest(c.contact_ids) intersect select unnest(o.contact_ids)) common) r
  left join dispatch p on ${notTakenOver}
  where o.dispatch_id = :dispatchId and o.chunk = :chunk and t.key <> :key and r.shared > 0`;

const withholdAll = `
  update broadcast_task t set status = case t.status when 'pending' then 'rejected' else t.status end,
    superseded_by = null, finished_at = coalesce(t.finished_at, :now), next_attempt_at = null,
    error_code = '${ALREADY_SENT}', error_message = '${ALREADY_SENT_MESSAGE}'
  where t.key = :key and ${withholdable}`;

// One that was never submitted has not reached them, whatever becomes of the rest of it.
const withholdSome = `
  with reduced as (
    update broadcast_task t set contact_count = t.contact_count - :shared
    where t.key = :key and t.contact_count = :contactCount and ${withholdable}
    returning t.key, t.attempts, t.tenant_id, t.campaign_id, t.dispatch_id, t.arm, t.variant, t.message_case
  )
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, arm, variant, message_case, chunk, status, contact_count,
      created_at, finished_at, error_code, error_message, withheld_from)
    select :newKey, tenant_id, campaign_id, dispatch_id, arm, variant, message_case,
      (select max(chunk) + 1 from broadcast_task where dispatch_id = :dispatchId), 'rejected', :shared, :now, :now,
      '${ALREADY_SENT}', '${ALREADY_SENT_MESSAGE}', case when attempts > 0 then key end
    from reduced returning chunk`;

const sentContacts = `
  select unnest(contact_ids) from dispatch_chunk where dispatch_id = :sentDispatch and chunk = :sentChunk`;

const reduceAwaited = `
  update dispatch set audience_count = audience_count - :contacts where dispatch_id = :dispatchId
  returning frozen_at is not null as stopped`;

/** A stopped send has a cancelled sub-task without contacts for each that it did not take over, of the same size. */
const findPlaceholder = `
  select t.key from broadcast_task t
  where t.dispatch_id = :dispatchId and t.status = 'cancelled' and t.superseded_by is null
    and t.contact_count = :contactCount and not exists (
      select 1 from dispatch_chunk c where c.dispatch_id = t.dispatch_id and c.chunk = t.chunk)
  order by t.chunk limit 1`;

interface Awaited {
  /** The send that has not taken the sub-task over. */
  by: string;
  /** The send that the sub-task is part of. */
  dispatchId: string;
  contactCount: number;
}

/** The send is not to take these contacts of a sub-task over: it has so many fewer, or counts them no longer. */
async function reduceSend(transaction: Transaction, awaited: Awaited, contacts: number): Promise<void> {
  const { by, contactCount } = awaited;
  const send = await firstRow<{ stopped: boolean }>(transaction, reduceAwaited, { dispatchId: by, contacts });
  if (!send?.stopped) return;
  const placeholder = await firstRow<{ key: string }>(transaction, findPlaceholder, { dispatchId: by, contactCount });
  await rows(
    transaction,
    contacts === contactCount
      ? 'update broadcast_task set superseded_by = :dispatchId where key = :key'
      : 'update broadcast_task set contact_count = contact_count - :contacts where key = :key',
    { key: placeholder?.key ?? null, contacts, dispatchId: awaited.dispatchId },
  );
}

const giveBackSql = `
  update broadcast_task t set superseded_by = null from dispatch p
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and ${notTakenOver} and ${isAtPlatform}
  returning p.dispatch_id as by, t.dispatch_id, t.contact_count`;

/** Sub-tasks that the platform has after all, and that no send has taken over yet, count again. */
export async function giveBack(transaction: Transaction, key: CampaignKey): Promise<void> {
  const given = await rows<Awaited>(transaction, giveBackSql, { ...key });
  for (const awaited of given) await reduceSend(transaction, awaited, awaited.contactCount);
}

/** Some in it have been sent to by another: they move to a sub-task of their own, which is not sent. */
async function withholdPart(transaction: Transaction, one: Chunk, part: Sharing, now: Date): Promise<void> {
  const added = await firstRow<{ chunk: number }>(transaction, withholdSome, { ...part, newKey: uuidv7(), now });
  if (!added) return;
  await moveContacts(
    transaction,
    { dispatchId: part.dispatchId, from: part.chunk, to: added.chunk },
    { move: sentContacts, bindings: { sentDispatch: one.dispatchId, sentChunk: one.chunk } },
  );
}

/** Keeps the contacts of a sub-task that was sent from being sent to by others, where that is still possible. */
export async function withholdOthers(transaction: Transaction, key: CampaignKey, one: Chunk, now: Date): Promise<void> {
  const held = await rows<Sharing>(
    transaction,
    `${sharing} and (t.superseded_by is null or p.dispatch_id is not null) and ${withholdable}
     group by t.key order by t.key`,
    { ...key, ...one },
  );
  for (const part of held) {
    const { awaitedBy: by, dispatchId, contactCount, shared } = part;
    if (shared === contactCount) await rows(transaction, withholdAll, { key: part.key, now });
    else await withholdPart(transaction, one, part, now);
    if (by !== null) await reduceSend(transaction, { by, dispatchId, contactCount }, shared);
  }
}
