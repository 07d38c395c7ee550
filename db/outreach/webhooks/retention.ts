import { type Database, rows } from '#db/database.ts';

/** SQL: long enough to catch up, to inspect an event's deliveries, and to deliver it again. */
export const KEPT = `interval '30 days'`;

/** Nothing of it is on its way, or was asked for again since; what waits for a paused endpoint is given up. */
const settled = `not exists (
  select 1 from delivery d left join webhook w using (endpoint_id)
  where d.event_id = e.event_id and case d.status when 'pending' then w.paused_for is null
    else greatest(d.settled_at, d.trying_since) >= cast(:now as timestamptz) - ${KEPT} end)`;

const deleteSql = `
  with old as materialized (
    select e.event_id from outgoing_event e
    where e.created_at < cast(:now as timestamptz) - ${KEPT} and ${settled}
    order by e.created_at limit :limit for update skip locked),
  gone as (delete from delivery d using old where d.event_id = old.event_id)
  delete from outgoing_event e using old where e.event_id = old.event_id returning 1`;

/** Deletes events that are older than they are kept, with their deliveries. @returns how many, at most `limit`. */
export async function deleteOldEvents(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return (await rows(database, deleteSql, { now, limit })).length;
}
