import { type Database, firstRow } from '../database.ts';

export interface DeliveryFigures {
  /** Neither delivered nor given up, or to be delivered again. */
  pending: number;
  /** Given up, and not redelivered since. */
  failed: number;
  /** How long the oldest pending one has waited, since staff asked where it is delivered again; 0 without one. */
  oldestSeconds: number;
}

/**
 * Across all tenants, without naming any: for the operators of the service.
 * @param waiting SQL condition on a delivery `d`: its receiver wants none now, so nobody has to do anything about it.
 */
export async function readDeliveryFigures(database: Database, waiting = 'false'): Promise<DeliveryFigures> {
  const row = await firstRow<DeliveryFigures>(
    database,
    `select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'failed') as failed,
       coalesce(extract(epoch from now() - min(case when settled_at is null then created_at else trying_since end)
         filter (where status = 'pending')), 0)::float8 as oldest_seconds
     from delivery d where status <> 'delivered' and not (${waiting})`,
    {},
  );
  return row ?? { pending: 0, failed: 0, oldestSeconds: 0 };
}
