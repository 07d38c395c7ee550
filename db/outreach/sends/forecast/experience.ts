import type { Experience, Line } from '../../../../domain/campaigns/forecast/forecast.ts';
import { type Database, firstRow } from '../../../database.ts';

/** How many of the newest sends a forecast is learned from, and how old they may be. */
const SENDS = 20;
const DAYS_MS = 90 * 86_400_000;

/** From this many sub-tasks on, a send says how far apart they are accepted. */
const ENOUGH_SUB_TASKS = 10;

interface Learned {
  sends: number;
  startSlope: number | null;
  startAverage: number | null;
  startContacts: number | null;
  taskSlope: number | null;
  taskAverage: number | null;
  taskContacts: number | null;
  spacing: number | null;
}

/**
 * Sub-tasks that the platform completed at the first attempt, of campaigns that nobody paused, changed or sent again: these
 * took what the platform takes. A sub-task that waits for its start at the platform has been waiting for nobody.
 */
const learn = `
  with recent as (
    select c.campaign_id from campaign c
    where c.tenant_id = :tenantId and c.service_number_id = :serviceNumberId and c.created_at >= :since
      and c.finished_at is not null and c.status in ('completed', 'closed') and c.dispatches = 1
    order by c.created_at desc limit ${SENDS}),
  tasks as (
    select d.dispatch_id, d.created_at, d.scheduled_at, d.audience_count, c.pace, t.submitted_at, t.contact_count,
      greatest(t.submitted_at, d.scheduled_at) as began_at, t.finished_at
    from recent join campaign c using (campaign_id) join dispatch d using (campaign_id)
      join broadcast_task t on t.campaign_id = c.campaign_id and t.dispatch_id = d.dispatch_id
    where t.status = 'completed' and t.attempts = 1 and t.finished_at > greatest(t.submitted_at, d.scheduled_at)),
  sends as (
    select dispatch_id, audience_count, count(*) as tasks, pace,
      extract(epoch from min(submitted_at) - created_at) * 1000 as start, scheduled_at,
      extract(epoch from max(submitted_at) - min(submitted_at)) * 1000 as spread
    from tasks group by dispatch_id, audience_count, pace, created_at, scheduled_at),
  starts as (
    select regr_slope(start, audience_count) as start_slope, avg(start) as start_average,
      avg(audience_count) as start_contacts from sends where scheduled_at is null and pace is null),
  spaces as (
    select percentile_cont(0.5) within group (order by spread / (tasks - 1)) as spacing
    from sends where tasks >= ${ENOUGH_SUB_TASKS} and scheduled_at is null and pace is null),
  ends as (
    select regr_slope(extract(epoch from finished_at - began_at) * 1000, contact_count) as task_slope,
      avg(extract(epoch from finished_at - began_at) * 1000) as task_average, avg(contact_count) as task_contacts from tasks)
  select (select count(*)::int from sends) as sends, start_slope::float8, start_average::float8, start_contacts::float8,
    task_slope::float8, task_average::float8, task_contacts::float8, spacing::float8
  from starts, spaces, ends`;

/** The fitted line; level where nothing, or something impossible, follows from the number of contacts. */
function lineOf(slope: number | null, average: number, contacts: number): Line {
  const perContact = Math.max(0, slope ?? 0);
  return { perContact, fixed: average - perContact * contacts };
}

/** What the newest sends of a service number took; null if there are none to learn from. */
export async function readExperience(
  database: Database,
  { tenantId, serviceNumberId, now }: { tenantId: string; serviceNumberId: string; now: Date },
): Promise<Experience | null> {
  const since = new Date(now.getTime() - DAYS_MS);
  const found = await firstRow<Learned>(database, learn, { tenantId, serviceNumberId, since });
  if (!found || found.taskAverage === null || found.taskContacts === null) return null;
  return {
    sends: found.sends,
    start: lineOf(found.startSlope, found.startAverage ?? 0, found.startContacts ?? 0),
    subTask: lineOf(found.taskSlope, found.taskAverage, found.taskContacts),
    spacingMs: found.spacing,
  };
}
