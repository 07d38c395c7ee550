import type { Step } from '#domain/api/steps.ts';
import type { StepFacts } from '#domain/campaigns/steps/decision.ts';
import { type Database, firstRow } from '#db/database.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';
import { isAtPlatform } from '../sends/ledger/conditions.ts';

/** The next step of a campaign that nothing was decided about, and what its rows say. */
export interface OpenStep extends StepFacts {
  position: number;
  steps: Step[];
  /** It is not looked at before somebody resumes it. */
  isPaused: boolean;
  /** The campaign that the message before it was sent as; null once it was deleted. */
  previousId: string | null;
}

const lockOpen = `
  select position from campaign_step
  where tenant_id = :tenantId and campaign_id = :campaignId and state = 'waiting' order by position limit 1`;

const previousId = `case when s.position = 1 then s.campaign_id else
  (select p.step_campaign_id from campaign_step p where p.campaign_id = s.campaign_id and p.position = s.position - 1) end`;

const selectOpen = `
  select s.position, s.position = 1 as is_first, s.pause_reason is not null as is_paused, c.steps, c.status as campaign_status,
    b.campaign_id as previous_id, b.status as previous_status,
    b.status = 'draft' and (select a.outcome = 'rejected' from send_approval a where a.campaign_id = b.campaign_id
      order by a.requested_at desc limit 1) as is_rejected,
    (b.schedule ->> 'at')::timestamptz as starts_at,
    coalesce(sent.is_open, false)
      or exists (select from dispatch d where d.campaign_id = b.campaign_id and d.frozen_at is null) as is_open,
    coalesce(sent.is_under_way, false) as is_under_way, sent.submitted_at
  from campaign_step s join campaign c on c.campaign_id = s.campaign_id
    left join campaign b on b.campaign_id = ${previousId}
    left join lateral (
      select bool_or(t.status in ('pending', 'submitting')) as is_open,
        bool_or(t.status in ('scheduled', 'sending')) as is_under_way,
        max(coalesce(t.started_at, greatest(t.submitted_at, d.scheduled_at))) filter (where ${isAtPlatform}) as submitted_at
      from broadcast_task t join dispatch d using (dispatch_id)
      where t.campaign_id = b.campaign_id and t.superseded_by is null) sent on true
  where s.tenant_id = :tenantId and s.campaign_id = :campaignId and s.state = 'waiting'
  order by s.position limit 1`;

/** Null if every step was decided; `lock` prevents concurrent decisions. */
export async function findOpenStep(
  database: Database,
  key: CampaignKey,
  { lock }: { lock: boolean },
): Promise<OpenStep | null> {
  // Read after locking: a statement that waited for the lock would return what it saw before.
  if (lock) await firstRow(database, `${lockOpen} for update`, { ...key });
  return firstRow<OpenStep>(database, selectOpen, { ...key });
}
