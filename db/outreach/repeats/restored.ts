import { rows, type Transaction } from '#db/database.ts';
import { repeatColumns, type RepeatRecord } from './repeats.ts';

/** Active repeats whose time has come, locked. */
export const lockDueRepeats = (transaction: Transaction, now: Date): Promise<(RepeatRecord & { nextAt: Date })[]> =>
  rows(
    transaction,
    `select ${repeatColumns} from campaign_repeat r where r.status = 'active' and r.next_at <= :now
     order by r.tenant_id, r.repeat_id for update of r`,
    { now },
  );

export async function pauseRestored(transaction: Transaction, repeatId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign_repeat set status = 'paused', pause_reason = 'restored', next_at = null, next_local_time = null,
       updated_at = :now, schedule_stale = true
     where repeat_id = :repeatId`,
    { repeatId, now },
  );
}
