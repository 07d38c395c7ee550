import type { CalendarItem } from '#domain/api/calendar.ts';
import { occurrencesAfter } from '#domain/campaigns/repeats/calendar.ts';
import type { Period } from '#domain/period.ts';
import { type Database, rows } from '#db/database.ts';
import { automationStatus } from '../automations/automations.ts';
import type { RepeatRecord } from '../repeats/repeats.ts';

/** What a calendar shows at most: a repeat may run each hour. */
export const CALENDAR_ITEMS = 5000;
/** Times of repeats that are looked at, those before the period included. */
const MOST_TIMES = 20_000;

export interface CalendarScope extends Pick<Period, 'from' | 'to'> {
  tenantId: string;
  serviceNumberId?: string | undefined;
}

export type CalendarRecord = Omit<CalendarItem, 'at' | 'until'> & { at: Date; until: Date | null };

const ofNumber = ({ serviceNumberId }: CalendarScope, row: string) =>
  serviceNumberId === undefined ? '' : `and ${row}.service_number_id = :serviceNumberId`;

/** What was sent, or is scheduled, by the moment at which it began or begins; automations by when they were activated. */
const readCampaigns = (database: Database, scope: CalendarScope): Promise<CalendarRecord[]> =>
  rows<CalendarRecord>(
    database,
    `select case when c.automation then 'automation' else 'campaign' end as kind, c.campaign_id as id, c.name,
       c.service_number_id, b.at, coalesce(c.finished_at, c.closed_at, c.ends_at) as until,
       case when c.automation then ${automationStatus} else c.status end as status, c.labels
     from campaign c cross join lateral (select coalesce(c.started_at,
       case when c.schedule ->> 'type' = 'scheduled' then (c.schedule ->> 'at')::timestamptz end, c.sent_at) as at) b
     where c.tenant_id = :tenantId and c.status <> 'draft' and c.created_at < :to ${ofNumber(scope, 'c')}
       and b.at >= :from and b.at < :to
     order by b.at, c.campaign_id limit :limit`,
    { ...scope, limit: CALENDAR_ITEMS + 1 },
  );

type PlannedRepeat = Pick<
  RepeatRecord,
  'repeatId' | 'name' | 'serviceNumberId' | 'calendar' | 'zone' | 'until' | 'maxRuns' | 'sends' | 'status'
> & { nextAt: Date; labels: string[] };

const readRepeats = (database: Database, scope: CalendarScope): Promise<PlannedRepeat[]> =>
  rows<PlannedRepeat>(
    database,
    `select r.repeat_id, r.name, r.service_number_id, r.calendar, r.zone, r.until, r.max_runs, r.sends, r.status,
       r.next_at, coalesce(c.labels, '{}') as labels
     from campaign_repeat r left join campaign c using (campaign_id)
     where r.tenant_id = :tenantId and r.status = 'active' and r.next_at < :to ${ofNumber(scope, 'r')}
     order by r.next_at, r.repeat_id limit :limit`,
    { ...scope, limit: CALENDAR_ITEMS + 1 },
  );

/** The runs that a repeat is going to have before the end of the period, as if each made a campaign. */
function* runsOf(repeat: PlannedRepeat, { from, to }: CalendarScope): Generator<CalendarRecord> {
  const { repeatId: id, name, serviceNumberId, calendar, zone, until, maxRuns, sends, status, nextAt, labels } = repeat;
  // Runs before the period count only where they are numbered.
  const first = maxRuns === null && nextAt < from ? from : nextAt;
  let left = maxRuns === null ? Infinity : maxRuns - sends;
  for (const { at } of occurrencesAfter(calendar, zone, new Date(first.getTime() - 1))) {
    if (at >= to || left <= 0 || (until !== null && at > until)) return;
    left -= 1;
    yield { kind: 'run', id, name, serviceNumberId, at, until: null, status, labels };
  }
}

/** Campaigns and coming runs, by when they begin; of more than 5,000 the first, unless the calendars of repeats have too many times. */
export async function readCalendar(
  database: Database,
  scope: CalendarScope,
): Promise<{ items: CalendarRecord[]; hasMore: boolean }> {
  const [items, repeats] = [await readCampaigns(database, scope), await readRepeats(database, scope)];
  let looked = 0;
  for (const repeat of repeats)
    for (const run of runsOf(repeat, scope)) {
      looked += 1;
      if (looked > MOST_TIMES) break;
      if (run.at >= scope.from) items.push(run);
    }
  items.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { items: items.slice(0, CALENDAR_ITEMS), hasMore: looked > MOST_TIMES || items.length > CALENDAR_ITEMS };
}
