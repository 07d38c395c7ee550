import { ALREADY_SENT } from '../../../../domain/campaigns/sub-task-errors.ts';
import { firstRow, rows, type Transaction } from '../../../database.ts';
import { recordAudit } from '../../audit/record.ts';
import { mayShare } from '../chunks.ts';
import { isAtPlatform, reachedBefore, wasSent } from './conditions.ts';
import type { CampaignKey } from './campaign-key.ts';
import { type Chunk, giveBack, sharing, withholdOthers } from './withholding.ts';

interface Overtaken extends Chunk {
  /** False for contacts that were taken out of a sub-task before it turned out to have been sent. */
  whole: boolean;
}

/**
 * Sub-tasks that the platform has after all, although a retry took their contacts over: an operator was wrong, or a
 * failed task was sent later.
 */
const findOvertaken = `
  select t.key, t.dispatch_id, t.chunk, t.withheld_from is null as whole from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId
    and ((t.superseded_by is not null and ${isAtPlatform}) or (t.withheld_from is not null and ${reachedBefore}))
  order by t.key`;

/**
 * If nobody else has sent to its contacts, the sub-task takes them back and counts again; what a retry made for them
 * counts no longer.
 */
async function takeBack(transaction: Transaction, key: CampaignKey, one: Chunk): Promise<void> {
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
async function countTwice(transaction: Transaction, key: CampaignKey, overtaken: Chunk[]): Promise<number> {
  const row = await firstRow<{ contacts: number }>(
    transaction,
    `with overtaken as materialized (
       select o.* from broadcast_task s
       join dispatch_chunk o on o.dispatch_id = s.dispatch_id and o.chunk = s.chunk where s.key = any(:keys))
     select count(*) as contacts from (
       select r.contact_id
       from dispatch d join dispatch_chunk c on c.dispatch_id = d.dispatch_id
       join broadcast_task t on t.dispatch_id = c.dispatch_id and t.chunk = c.chunk
       cross join lateral unnest(c.contact_ids) as r (contact_id)
       where d.campaign_id = :campaignId and (${wasSent} or ${reachedBefore})
         and exists (select 1 from overtaken o where ${mayShare('c', 'o')})
         and r.contact_id in (select unnest(o.contact_ids) from overtaken o)
       group by r.contact_id having count(*) > 1) twice`,
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
  await giveBack(transaction, key);
  const overtaken = await rows<Overtaken>(transaction, findOvertaken, { ...key });
  if (overtaken.length === 0) return;
  for (const one of overtaken) {
    await withholdOthers(transaction, key, one, now);
    if (one.whole) await takeBack(transaction, key, one);
  }
  const contacts = await countTwice(transaction, key, overtaken);
  if (contacts > 0) await recordTwice(transaction, key, contacts, now);
}
