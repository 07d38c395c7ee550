import { Problem } from '../../../domain/api/problem.ts';
import { type Database, rows } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';

/** A step that may have been sent since the backup. */
export interface RestoredStep extends CampaignKey {
  /** Of the campaign that it follows. */
  name: string;
  position: number;
}

const pause = `
  update campaign_step s set pause_reason = 'restored', next_look_at = null from campaign c
  where c.campaign_id = s.campaign_id and s.state = 'waiting' and s.next_look_at <= :now
  returning s.tenant_id, s.campaign_id, c.name, s.position`;

/** Pauses what may have been sent since the backup: whoever decided about it is not in the rows. */
export function pauseDueSteps(database: Database, now: Date): Promise<RestoredStep[]> {
  return database.transaction(async (transaction) => {
    const paused = await rows<RestoredStep>(transaction, pause, { now });
    for (const { tenantId, campaignId, position } of paused)
      await recordAudit(
        transaction,
        { tenantId, userId: 'service:restored', requestId: null },
        {
          action: 'campaign.pause_steps',
          objectType: 'campaign',
          objectId: campaignId,
          after: { steps: [position], pauseReason: 'restored' },
        },
      );
    return paused.toSorted((one, other) => one.campaignId.localeCompare(other.campaignId));
  });
}

const resume = `
  update campaign_step set pause_reason = null, next_look_at = :now
  where tenant_id = :tenantId and campaign_id = :campaignId and state = 'waiting' and pause_reason is not null
  returning position`;

/**
 * Has a paused step sent when it is due.
 * @throws Problem `invalid_state` if none is paused.
 */
export function resumeSteps(database: Database, author: Author, campaignId: string, now: Date): Promise<void> {
  return database.transaction(async (transaction) => {
    const resumed = await rows<{ position: number }>(transaction, resume, {
      tenantId: author.tenantId,
      campaignId,
      now,
    });
    if (resumed.length === 0) throw new Problem('invalid_state', 'No step is paused');
    await recordAudit(transaction, author, {
      action: 'campaign.resume_steps',
      objectType: 'campaign',
      objectId: campaignId,
      after: { steps: resumed.map(({ position }) => position) },
    });
  });
}
