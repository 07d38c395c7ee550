import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import type { RepeatKey } from '#db/outreach/repeats/repeats.ts';
import { lockDueRepeats, pauseRestored } from '#db/outreach/repeats/restored.ts';
import { nextOccurrences } from '#domain/campaigns/repeats/calendar.ts';

/** A repeat whose time has come since the backup. */
export interface RestoredRepeat extends RepeatKey {
  name: string;
  /** At which it may have run. */
  times: Date[];
}

/** Times that are listed of a repeat at most. */
const LISTED_TIMES = 100;

/** Pauses what may have run since the backup: the rows know of no run after it. */
export function pauseDueRepeats(database: Database, now: Date): Promise<RestoredRepeat[]> {
  return database.transaction(async (transaction) => {
    const due = await lockDueRepeats(transaction, now);
    for (const { tenantId, repeatId, nextAt } of due) {
      await pauseRestored(transaction, repeatId, now);
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
