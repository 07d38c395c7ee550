import { uuidv7 } from 'uuidv7';
import { firstRow, rows, type Transaction } from '../../../database.ts';
import { recordAudit } from '../../audit/record.ts';
import { ALREADY_SENT, nothingSent, wasSent } from './conditions.ts';
import type { CampaignKey } from './campaign-key.ts';

/**
 * A sub-task that the platform has after all, although a retry took its contacts over: an operator was wrong, or a
 * failed task was sent later.
 */
interface Overtaken {
  key: string;
  dispatchId: string;
  chunk: number;
}

/** SQL condition on a sub-task `t`: the platform has it. */
const isAtPlatform = `(t.status = 'scheduled' or ${wasSent})`;

/** SQL condition on a sub-task `t`: it has not been sent, and can still be kept from it. */
const withholdable = `((t.status = 'pending' and t.attempts = 0) or ${nothingSent}
  or (t.status = 'cancelled' and coalesce(t.sent, 0) = 0 and t.error_code is distinct from '${ALREADY_SENT}'))`;

const findOvertaken = `
  select t.key, t.dispatch_id, t.chunk from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is not null and ${isAtPlatform}
  order by t.key`;

/** The campaign's other sub-tasks `t` that have contacts of the one given, each with how many. */
const sharing = `
  select t.key, t.dispatch_id, t.chunk, t.contact_count, count(*) as shared
  from dispatch_recipient o
  join dispatch d on d.campaign_id = :campaignId
  join dispatch_recipient r on r.dispatch_id = d.dispatch_id and r.contact_id = o.contact_id
  join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
  where o.dispatch_id = :dispatchId and o.chunk = :chunk and t.key <> :key`;

interface Sharing {
  key: string;
  dispatchId: string;
  chunk: number;
  contactCount: number;
  shared: number;
}

const withheld = `finished_at = coalesce(t.finished_at, :now), next_attempt_at = null, error_code = '${ALREADY_SENT}',
  error_message = 'Another sub-task turned out to have been sent to them'`;

/** Everybody in it has been sent to by others. */
async function withhold(transaction: Transaction, key: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update broadcast_task t set status = case t.status when 'pending' then 'rejected' else t.status end, ${withheld}
     where t.key = :key and ${withholdable}`,
    { key, now },
  );
}

/** Some in it have been sent to by another: they move to a sub-task of their own, which is not sent. */
async function withholdPart(transaction: Transaction, one: Overtaken, part: Sharing, now: Date): Promise<void> {
  const left = await rows(
    transaction,
    `update broadcast_task t set contact_count = t.contact_count - :shared
     where t.key = :key and t.contact_count = :contactCount and ${withholdable} returning 1`,
    { ...part },
  );
  if (left.length === 0) return;
  const moved = await firstRow<{ chunk: number }>(
    transaction,
    `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, finished_at,
       error_code, error_message)
     select :newKey, tenant_id, campaign_id, dispatch_id,
       (select max(chunk) + 1 from broadcast_task where dispatch_id = :dispatchId), 'rejected', :shared, :now,
       '${ALREADY_SENT}', 'Another sub-task turned out to have been sent to them'
     from broadcast_task where key = :key returning chunk`,
    { ...part, newKey: uuidv7(), now },
  );
  await rows(
    transaction,
    `update dispatch_recipient r set chunk = :newChunk where r.dispatch_id = :dispatchId and r.chunk = :chunk
       and r.contact_id in (select o.contact_id from dispatch_recipient o
         where o.dispatch_id = :sentDispatch and o.chunk = :sentChunk)`,
    { ...part, newChunk: moved?.chunk, sentDispatch: one.dispatchId, sentChunk: one.chunk },
  );
}

/**
 * If nobody else has sent to its contacts, the sub-task takes them back and counts again; what a retry made for them
 * counts no longer.
 */
async function takeBack(transaction: Transaction, key: CampaignKey, one: Overtaken): Promise<void> {
  const given = { ...key, ...one };
  const elsewhere = await firstRow(
    transaction,
    `select 1 as found from (${sharing}
       and ((t.superseded_by is null and t.error_code is distinct from '${ALREADY_SENT}')
         or (t.superseded_by is not null and ${isAtPlatform})) group by t.key) s limit 1`,
    given,
  );
  if (elsewhere) return;
  await rows(
    transaction,
    `update broadcast_task set superseded_by = :dispatchId
     where superseded_by is null and key in (select s.key from (${sharing} group by t.key) s)`,
    given,
  );
  await rows(transaction, 'update broadcast_task set superseded_by = null where key = :key', { key: one.key });
}

/** Contacts of these sub-tasks that more than one sub-task of the campaign was sent to. */
async function countTwice(transaction: Transaction, key: CampaignKey, overtaken: Overtaken[]): Promise<number> {
  const row = await firstRow<{ contacts: number }>(
    transaction,
    `select count(*) as contacts from (
       select r.contact_id
       from (select distinct o.contact_id from broadcast_task s
         join dispatch_recipient o on o.dispatch_id = s.dispatch_id and o.chunk = s.chunk where s.key = any(:keys)) o
       join dispatch d on d.campaign_id = :campaignId
       join dispatch_recipient r on r.dispatch_id = d.dispatch_id and r.contact_id = o.contact_id
       join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
       where ${wasSent} group by r.contact_id having count(*) > 1) twice`,
    { ...key, keys: overtaken.map((one) => one.key) },
  );
  return row?.contacts ?? 0;
}

/** Kept with the campaign, because the contacts of its sends are not; told once, whenever it has grown. */
async function recordTwice(transaction: Transaction, key: CampaignKey, contacts: number, now: Date): Promise<void> {
  const grown = await rows(
    transaction,
    `update campaign set sent_twice = :contacts, sent_twice_at = :now, updated_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and sent_twice < :contacts returning 1`,
    { ...key, contacts, now },
  );
  if (grown.length === 0) return;
  await recordAudit(
    transaction,
    { tenantId: key.tenantId, userId: 'platform', requestId: null },
    { action: 'campaign.sent_twice', objectType: 'campaign', objectId: key.campaignId, after: { contacts } },
  );
}

/**
 * Settles sub-tasks of a retried campaign that turned out to be at the platform: whoever they reach is kept from being
 * sent to again where that is still possible, and counted as sent to twice where it was too late. In a transaction
 * that holds the campaign's lock.
 */
export async function settleOvertaken(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  const overtaken = await rows<Overtaken>(transaction, findOvertaken, { ...key });
  if (overtaken.length === 0) return;
  for (const one of overtaken) {
    const held = await rows<Sharing>(
      transaction,
      `${sharing} and t.superseded_by is null and ${withholdable} group by t.key order by t.key`,
      { ...key, ...one },
    );
    for (const part of held) {
      if (part.shared === part.contactCount) await withhold(transaction, part.key, now);
      else await withholdPart(transaction, one, part, now);
    }
    await takeBack(transaction, key, one);
  }
  const contacts = await countTwice(transaction, key, overtaken);
  if (contacts > 0) await recordTwice(transaction, key, contacts, now);
}
