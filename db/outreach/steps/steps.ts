import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { Step } from '#domain/api/steps.ts';
import type { StepState } from '#domain/campaigns/steps/limits.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';
import { integrationActive } from '../sql-fragments.ts';

/** Stores the steps of a campaign that is being sent; the first is evaluated at once. */
export async function insertSteps(
  transaction: Transaction,
  key: CampaignKey,
  { steps, now }: { steps: Step[] | null; now: Date },
): Promise<void> {
  if (steps === null) return;
  await rows(
    transaction,
    `insert into campaign_step (campaign_id, tenant_id, position, state, next_look_at)
     select :campaignId, :tenantId, position, 'waiting', case position when 1 then :now::timestamptz end
     from generate_series(1, :steps::int) as position`,
    { ...key, steps: steps.length, now },
  );
}

/** Has the sweep look at the next step of a campaign. */
export async function evaluateStepsSoon(transaction: Transaction, campaignId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    'update campaign_step set next_look_at = :now where campaign_id = :campaignId and next_look_at > :now',
    { campaignId, now },
  );
}

/** A step as its row stores it. */
export interface StepRecord {
  position: number;
  state: StepState;
  reason: string | null;
  dueAt: Date | null;
  decidedAt: Date | null;
  pauseReason: 'restored' | null;
  campaignId: string | null;
  campaignStatus: CampaignStatus | null;
  audienceCount: number | null;
  clickedContacts: number | null;
}

/** The steps of a sent campaign, in order. The caller has already found the campaign by its tenant. */
export function listSteps(database: Database, { tenantId, campaignId }: CampaignKey): Promise<StepRecord[]> {
  return rows<StepRecord>(
    database,
    `select s.position, s.state, s.reason, s.due_at, s.decided_at,
       case when s.state = 'waiting' then s.pause_reason end as pause_reason, s.step_campaign_id as campaign_id,
       c.status as campaign_status,
       (select sum(d.audience_count) from dispatch d where d.campaign_id = c.campaign_id and d.retry_of is null)
         as audience_count,
       case when c.campaign_id is not null then coalesce((select k.contacts from campaign_clicks k
         where k.tenant_id = c.tenant_id and k.campaign_id = c.campaign_id), 0) end as clicked_contacts
     from campaign_step s left join campaign c on c.campaign_id = s.step_campaign_id
     where s.tenant_id = :tenantId and s.campaign_id = :campaignId order by s.position`,
    { tenantId, campaignId },
  );
}

export const cancel = `
  update campaign_step set state = 'cancelled', reason = :reason, decided_at = :now, next_look_at = null
  where tenant_id = :tenantId and campaign_id = :campaignId and state = 'waiting' and position >= :from
  returning position`;

/** The steps of an uninstalled tenant, including those of ended campaigns. */
export async function cancelStepsOfTenant(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign_step set state = 'cancelled', reason = 'uninstalled', decided_at = :now, next_look_at = null
     where tenant_id = :tenantId and state = 'waiting'`,
    { tenantId, now },
  );
}

/** Campaigns whose next step was due for evaluation before `before`: its workflow may be lost. In random order. */
export function orphanedSteps(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<(CampaignKey & { status: CampaignStatus })[]> {
  return rows<CampaignKey & { status: CampaignStatus }>(
    database,
    `select s.tenant_id, s.campaign_id, c.status from campaign_step s join campaign c using (campaign_id)
     where s.next_look_at <= :before and ${integrationActive('s')} order by random() limit :limit`,
    { before, limit },
  );
}
