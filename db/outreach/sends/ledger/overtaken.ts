import { ALREADY_SENT } from '#domain/campaigns/sub-task-errors.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { mayShare } from '../chunks.ts';
import type { CampaignKey } from './campaign-key.ts';
import { isAtPlatform, reachedBefore, wasSent } from './conditions.ts';
import { type Chunk, sharing } from './withholding.ts';

/**
 * Sub-tasks that the platform has after all, although a retry took their contacts over: an operator was wrong, or a
 * failed task was sent later.
 */
export const findOvertaken = `
  select t.key, t.dispatch_id, t.chunk, t.withheld_from is null as whole from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId
    and ((t.superseded_by is not null and ${isAtPlatform}) or (t.withheld_from is not null and ${reachedBefore}))
  order by t.key`;

/**
 * If nobody else has sent to its contacts, the sub-task takes them back and counts again; what a retry made for them
 * counts no longer.
 */
export async function takeBack(transaction: Transaction, key: CampaignKey, one: Chunk): Promise<void> {
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
export async function countTwice(transaction: Transaction, key: CampaignKey, overtaken: Chunk[]): Promise<number> {
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
