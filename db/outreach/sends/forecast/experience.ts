import type { EarlierSend } from '#domain/campaigns/forecast/experience.ts';
import { type Database, rows } from '#db/database.ts';

/** How many of the newest sends a forecast is learned from, and how old they may be. */
const SENDS = 20;
const DAYS_MS = 90 * 86_400_000;

interface Row {
  dispatchId: string;
  contacts: number;
  subTasks: number;
  start: number | null;
  spread: number | null;
  size: number;
  ms: number;
}

/**
 * Sub-tasks that the platform completed at the first attempt, of campaigns that nobody paused, changed or sent again: these
 * took what the platform takes. A sub-task that waits for its start at the platform has been waiting for nobody. A row for
 * each size of a send's sub-tasks.
 */
const learn = `
  with recent as (
    select c.campaign_id, c.pace is null and c.variants is null as is_plain from campaign c
    where c.tenant_id = :tenantId and c.service_number_id = :serviceNumberId and c.created_at >= :since
      and c.finished_at is not null and c.status in ('completed', 'closed') and c.dispatches = 1
    order by c.created_at desc limit ${SENDS}),
  tasks as (
    select d.dispatch_id, d.created_at, d.audience_count, is_plain and d.scheduled_at is null as is_plain, t.submitted_at,
      t.contact_count, extract(epoch from t.finished_at - greatest(t.submitted_at, d.scheduled_at)) * 1000 as ms
    from recent c join dispatch d using (campaign_id)
      join broadcast_task t on t.campaign_id = c.campaign_id and t.dispatch_id = d.dispatch_id
    where t.status = 'completed' and t.attempts = 1 and t.finished_at > greatest(t.submitted_at, d.scheduled_at)),
  sends as (
    select dispatch_id, audience_count, count(*) as sub_tasks,
      case when is_plain then extract(epoch from min(submitted_at) - created_at) * 1000 end as start,
      case when is_plain then extract(epoch from max(submitted_at) - min(submitted_at)) * 1000 end as spread
    from tasks group by dispatch_id, audience_count, is_plain, created_at)
  select dispatch_id, audience_count::int as contacts, sub_tasks::int, start::float8, spread::float8, contact_count::int as size,
    percentile_cont(0.5) within group (order by ms)::float8 as ms
  from sends join tasks using (dispatch_id, audience_count)
  group by dispatch_id, audience_count, sub_tasks, start, spread, contact_count`;

/** What the newest sends of a service number took. */
export async function readEarlierSends(
  database: Database,
  { tenantId, serviceNumberId, now }: { tenantId: string; serviceNumberId: string; now: Date },
): Promise<EarlierSend[]> {
  const since = new Date(now.getTime() - DAYS_MS);
  const sends = new Map<string, EarlierSend>();
  for (const { dispatchId, size, ms, ...send } of await rows<Row>(database, learn, {
    tenantId,
    serviceNumberId,
    since,
  })) {
    const known = sends.get(dispatchId) ?? { ...send, sizes: [] };
    known.sizes.push({ contacts: size, ms });
    sends.set(dispatchId, known);
  }
  return [...sends.values()];
}
