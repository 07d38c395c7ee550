import type { Repeat } from '#domain/api/repeats.ts';
import { nextOccurrences, type Occurrence } from '#domain/campaigns/repeats/calendar.ts';
import { type Database, firstRow } from '#db/database.ts';

/** A repeat as its row stores it. */
export interface RepeatRecord extends Omit<Repeat, 'etag' | 'until' | 'nextAt' | 'createdAt' | 'updatedAt'> {
  tenantId: string;
  revision: number;
  until: Date | null;
  nextAt: Date | null;
  /** Counts all runs, whatever their outcome. */
  runs: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface RepeatKey {
  tenantId: string;
  repeatId: string;
}

export const repeatColumns = `r.repeat_id, r.tenant_id, r.service_number_id, r.name, r.campaign_id,
  (select c.name from campaign c where c.campaign_id = r.campaign_id) as campaign_name, r.calendar, r.zone, r.until,
  r.max_runs, r.skip_reached, r.status, r.end_reason, r.pause_reason, r.next_at, r.next_local_time, r.runs, r.sends,
  (select u.outcome from repeat_run u where u.repeat_id = r.repeat_id and u.number = r.runs) as last_outcome,
  r.started_by, r.created_at, r.updated_at, r.revision`;

/** Null if the tenant has no such repeat. */
export function findRepeat(database: Database, { tenantId, repeatId }: RepeatKey): Promise<RepeatRecord | null> {
  return firstRow<RepeatRecord>(
    database,
    `select ${repeatColumns} from campaign_repeat r where r.tenant_id = :tenantId and r.repeat_id = :repeatId`,
    { tenantId, repeatId },
  );
}

export type Timing = Pick<RepeatRecord, 'calendar' | 'zone' | 'until'>;

/** The first time after `after` at which it may run; null if it has none any more. */
export function nextTime({ calendar, zone, until }: Timing, after: Date): Occurrence | null {
  const [next] = nextOccurrences(calendar, zone, after, 1);
  return next && (until === null || next.at <= until) ? next : null;
}

export const insertRepeat = `
  insert into campaign_repeat (repeat_id, tenant_id, service_number_id, campaign_id, name, calendar, zone, until, max_runs,
    skip_reached, status, next_at, next_local_time, started_by, created_at, updated_at)
  values (:repeatId, :tenantId, :serviceNumberId, :campaignId, :name, :calendar::jsonb, :zone, :until, :maxRuns,
    :skipReached, 'active', :at, :localTime, :userId, :now, :now)`;

export const storeChange = `
  update campaign_repeat set name = :name, calendar = :calendar::jsonb, zone = :zone, until = :until, max_runs = :maxRuns,
    skip_reached = :skipReached, status = :status, end_reason = :endReason,
    pause_reason = :pauseReason, next_at = :nextAt, next_local_time = :nextLocalTime, started_by = :startedBy, updated_at = :now, schedule_stale = true
  where repeat_id = :repeatId`;
