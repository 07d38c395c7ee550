import { type Database, rows, type Transaction } from '#db/database.ts';
import { DispatchRow } from '../models/sends.ts';
import type { Counted } from './inserting.ts';
import { awaitsChoice } from './ledger/conditions.ts';

export async function isRepeated(transaction: Transaction, campaignId: string, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const found = await DispatchRow.query(transaction).select('dispatchId').findOne({ campaignId, idempotencyKey: key });
  return found !== undefined;
}

export const markSent = `
  update campaign set status = :status, dispatches = :number, sent_at = :now, updated_at = :now,
    sent_name = coalesce(sent_name, name)
  where tenant_id = :tenantId and campaign_id = :campaignId`;

export async function setCounts(
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

/** Sends of the campaign that still have something to prepare or submit. */
export function openSends(
  database: Database,
  tenantId: string,
  campaignId: string,
): Promise<{ dispatchId: string; number: number }[]> {
  return rows(
    database,
    `select d.dispatch_id, d.number from dispatch d
     where d.tenant_id = :tenantId and d.campaign_id = :campaignId and (d.frozen_at is null or exists (
       select 1 from broadcast_task t where t.dispatch_id = d.dispatch_id and t.status in ('pending', 'submitting')
         and not ${awaitsChoice('t')}))
     order by d.number`,
    { tenantId, campaignId },
  );
}
