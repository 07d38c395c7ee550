import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { DeliveryFilter, EventDelivery } from '#domain/api/webhook.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import type { EndpointKey } from './webhooks.ts';

/** A delivery for display, with times as dates, and its cursor position. */
export type DeliveryRecord = Omit<EventDelivery, 'nextAttemptAt' | 'createdAt'> & {
  nextAttemptAt: Date | null;
  createdAt: Date;
  position: string;
};

const select = `select d.delivery_id, d.event_id, e.type, e.data ->> 'campaignId' as campaign_id, e.contacts, d.status,
    d.attempts, d.last_status, d.last_error, d.next_attempt_at, d.created_at, d.position::text as position
  from delivery d join outgoing_event e using (event_id)`;

/** Of one endpoint, newest first. */
export async function listDeliveries(
  database: Database,
  { tenantId, endpointId }: EndpointKey,
  { limit, cursor, status, type }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const after = decodeCursor(z.tuple([z.string().regex(/^\d{1,18}$/)]), cursor);
  const found = await rows<DeliveryRecord>(
    database,
    `${select} where d.tenant_id = :tenantId and d.endpoint_id = :endpointId
       ${status ? 'and d.status = :status' : ''} ${type ? 'and e.type = :type' : ''}
       ${after ? 'and d.position < :after::bigint' : ''}
     order by d.position desc limit :rows`,
    { tenantId, endpointId, status: status ?? null, type: type ?? null, after: after?.[0] ?? null, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ position }) => [position]);
}

/** Null if the endpoint has no such delivery. */
export const findDelivery = (
  database: Database,
  { tenantId, endpointId }: EndpointKey,
  deliveryId: string,
): Promise<DeliveryRecord | null> =>
  firstRow<DeliveryRecord>(
    database,
    `${select} where d.tenant_id = :tenantId and d.endpoint_id = :endpointId and d.delivery_id = :deliveryId`,
    { tenantId, endpointId, deliveryId },
  );
