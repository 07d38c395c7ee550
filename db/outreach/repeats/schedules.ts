import { nextOccurrences } from '#domain/campaigns/repeats/calendar.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { findRepeat, type RepeatKey } from './repeats.ts';

/** How many future times a Schedule has: it is rewritten at each. */
const KNOWN_TIMES = 10;

/** When a repeat runs next; none unless it is active. */
export async function comingTimes(database: Database, key: RepeatKey): Promise<Date[]> {
  const repeat = await findRepeat(database, key);
  if (!repeat?.nextAt) return [];
  const { calendar, zone, until, nextAt } = repeat;
  return nextOccurrences(calendar, zone, new Date(nextAt.getTime() - 1), KNOWN_TIMES)
    .map(({ at }) => at)
    .filter((at) => until === null || at <= until);
}

/** Repeats with an overdue run that no Schedule has started. */
export function overdueRepeats(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<RepeatKey[]> {
  return rows<RepeatKey>(
    database,
    `select tenant_id, repeat_id from campaign_repeat where status = 'active' and next_at < :before
     order by next_at limit :limit`,
    { before, limit },
  );
}

/** Repeats whose Schedule differs from their row. */
export function staleSchedules(database: Database, { limit }: { limit: number }): Promise<RepeatKey[]> {
  return rows<RepeatKey>(
    database,
    'select tenant_id, repeat_id from campaign_repeat where schedule_stale order by repeat_id limit :limit',
    { limit },
  );
}

/** Notes that the Schedule knows these times, unless they have changed meanwhile. */
export async function noteScheduled(database: Database, key: RepeatKey, times: Date[]): Promise<void> {
  await firstRow(
    database,
    `update campaign_repeat set schedule_stale = false
     where tenant_id = :tenantId and repeat_id = :repeatId and next_at is not distinct from :next returning 1`,
    { ...key, next: times[0] ?? null },
  );
}
