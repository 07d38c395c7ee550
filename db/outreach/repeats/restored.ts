import { nextOccurrences } from '../../../domain/campaigns/repeats/calendar.ts';
import { type Database, rows } from '../../database.ts';
import { recordAudit } from '../audit/record.ts';
import { repeatColumns, type RepeatKey, type RepeatRecord } from './repeats.ts';

/** A repeat whose time has come since the backup. */
export interface RestoredRepeat extends RepeatKey {
  name: string;
  /** At which it may have run. */
  times: Date[];
}

/** Times that are listed of a repeat at most. */
const LISTED_TIMES = 100;

const selectDue = `
  select ${repeatColumns} from campaign_repeat r where r.status = 'active' and r.next_at <= :now
  order by r.tenant_id, r.repeat_id for update of r`;

const pause = `
  update campaign_repeat set status = 'paused', pause_reason = 'restored', next_at = null, next_local_time = null,
    updated_at = :now, schedule_stale = true
  where repeat_id = :repeatId`;

/** Pauses what may have run since the backup: the rows know of no run after it. */
export function pauseDueRepeats(database: Database, now: Date): Promise<RestoredRepeat[]> {
  return database.transaction(async (transaction) => {
    const due = await rows<RepeatRecord & { nextAt: Date }>(transaction, selectDue, { now });
    for (const { tenantId, repeatId, nextAt } of due) {
      await rows(transaction, pause, { repeatId, now });
      const author = { tenantId, userId: 'service:restored', requestId: null };
      await recordAudit(transaction, author, {
        action: 'repeat.pause',
        objectType: 'repeat',
        objectId: repeatId,
        before: { status: 'active', nextAt },
        after: { status: 'paused', pauseReason: 'restored' },
      });
    }
    return due.map(({ tenantId, repeatId, name, calendar, zone, until, nextAt }) => ({
      tenantId,
      repeatId,
      name,
      times: nextOccurrences(calendar, zone, new Date(nextAt.getTime() - 1), LISTED_TIMES)
        .map(({ at }) => at)
        .filter((at) => at <= now && (until === null || at <= until)),
    }));
  });
}
