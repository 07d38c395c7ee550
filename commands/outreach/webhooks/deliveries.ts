import { type Database, firstRow } from '../../../db/database.ts';
import { type DeliveryRecord, select } from '../../../db/outreach/webhooks/deliveries.ts';
import { Problem } from '../../../domain/api/problem.ts';

export async function readDelivery(database: Database, deliveryId: string): Promise<DeliveryRecord> {
  const found = await firstRow<DeliveryRecord>(database, `${select} where d.delivery_id = :deliveryId`, { deliveryId });
  if (!found) throw new Problem('not_found', 'There is no such delivery');
  return found;
}
