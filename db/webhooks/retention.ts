import { type Database, rows } from '../database.ts';

/** Long enough to inspect an event's deliveries, and to deliver it again. */
const KEPT = `interval '30 days'`;

/**
 * Deletes deliveries that were delivered or given up long ago, with their events. A redelivery counts from when it
 * began. `now` is the caller's clock.
 * @returns how many, at most `limit`.
 */
export async function deleteOldDeliveries(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const deleted = await rows(
    database,
    `with old as materialized (
       select delivery_id from delivery
       where status <> 'pending' and greatest(settled_at, trying_since) < cast(:now as timestamptz) - ${KEPT}
       order by greatest(settled_at, trying_since) limit :limit for update skip locked),
     gone as (delete from delivery d using old where d.delivery_id = old.delivery_id returning d.event_id)
     delete from merchant_event e using gone where e.event_id = gone.event_id returning 1`,
    { now, limit },
  );
  return deleted.length;
}
