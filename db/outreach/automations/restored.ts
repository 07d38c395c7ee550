import { rows, type Transaction } from '#db/database.ts';
import type { AutomationKey } from './automations.ts';

/** An automation that may have sent since the backup. */
export interface RestoredAutomation extends AutomationKey {
  name: string;
  /** Messages that were due, and may have gone out. */
  due: number;
}

/** Pauses all active automations until somebody resumes them. */
export const pauseRestored = (transaction: Transaction, now: Date): Promise<RestoredAutomation[]> =>
  rows<RestoredAutomation>(
    transaction,
    `with paused as (
       update campaign set status = 'paused', pause_reason = 'operator', updated_at = :now
       where automation and status = 'sending' returning tenant_id, campaign_id, name
     ), noted as (
       update automation a set restored = true, updated_at = :now from paused p where a.automation_id = p.campaign_id)
     select tenant_id, campaign_id as automation_id, name, (
       select count(*) from automation_step s
       where s.automation_id = paused.campaign_id and s.status = 'waiting' and s.due_at <= :now) as due
     from paused order by 1, 2`,
    { now },
  );
