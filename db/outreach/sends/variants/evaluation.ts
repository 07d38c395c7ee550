import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { Variants } from '#domain/api/variants.ts';
import { restPercent } from '#domain/campaigns/variants/variants.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { integrationActive } from '#db/outreach/sql-fragments.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { awaitsChoice } from '../ledger/conditions.ts';
import { testColumns } from './standing.ts';

/** Stores the test of a send. With an empty rest there is nothing to decide, so it is never evaluated. */
export async function insertTest(
  transaction: Transaction,
  send: CampaignKey & { dispatchId: string },
  { variants, startsAt }: { variants: Variants | null; startsAt: Date },
): Promise<void> {
  if (variants === null) return;
  await rows(
    transaction,
    `insert into variant_test (campaign_id, tenant_id, dispatch_id, next_look_at)
     values (:campaignId, :tenantId, :dispatchId, :nextLookAt)`,
    { ...send, nextLookAt: restPercent(variants) > 0 ? startsAt : null },
  );
}

export const selectTest = `
  select c.status, c.cancel_requested, c.messages, c.variants, coalesce(s.scheduled_at, s.created_at) as begins_at, ${testColumns}
  from variant_test v join campaign c using (campaign_id) join dispatch s on s.dispatch_id = v.dispatch_id
  where v.tenant_id = :tenantId and v.campaign_id = :campaignId and c.variants is not null`;

export const storeLook = `
  update variant_test set next_look_at = :nextLookAt, asks_since = case when :asks then coalesce(asks_since, :now::timestamptz) end
  where tenant_id = :tenantId and campaign_id = :campaignId`;

/**
 * Tests of open campaigns that should have been looked at before `before`, or that nobody looks at although the rest waits: their
 * workflow may be lost, or a retry has made the rest wait again. In random order, as other sweeps.
 */
export function orphanedTests(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<(CampaignKey & { status: CampaignStatus })[]> {
  return rows<CampaignKey & { status: CampaignStatus }>(
    database,
    `select v.tenant_id, v.campaign_id, c.status from variant_test v join campaign c using (campaign_id)
     where c.status in ('scheduled', 'sending', 'paused') and not c.cancel_requested and v.chosen is null
       and (v.next_look_at <= :before or (v.next_look_at is null and exists (
         select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status = 'pending' and ${awaitsChoice('t')})))
       and ${integrationActive('v')} order by random() limit :limit`,
    { before, limit },
  );
}
