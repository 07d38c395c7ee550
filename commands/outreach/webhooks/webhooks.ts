import { type Database, firstRow } from '#db/database.ts';
import { type DeliveryRecord, select } from '#db/outreach/webhooks/deliveries.ts';
import type { Webhook } from '#db/outreach/webhooks/webhooks.ts';
import { Problem } from '#domain/api/problem.ts';

/** For so long a secret that was replaced signs as well. */
export const OVERLAP = `interval '24 hours'`;

export const noWebhook = () => new Problem('invalid_state', 'The tenant has no webhook');

export const shown = ({ url, eventTypes }: Pick<Webhook, 'url' | 'eventTypes'>) => ({ url, eventTypes });

export async function readDelivery(database: Database, deliveryId: string): Promise<DeliveryRecord> {
  const found = await firstRow<DeliveryRecord>(database, `${select} where d.delivery_id = :deliveryId`, { deliveryId });
  if (!found) throw new Problem('not_found', 'There is no such delivery');
  return found;
}
