import { uuidv7 } from 'uuidv7';
import { type Database, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type DeliveryRecord, findDelivery } from '#db/outreach/webhooks/deliveries.ts';
import { requireEndpoint } from './endpoints.ts';

/** Goes to one endpoint, whatever types it receives, and is in no list of events. */
const writeTest = `
  with event as (
    insert into outgoing_event (event_id, tenant_id, type, data)
    values (:eventId, :tenantId, 'webhook.test', jsonb_build_object('tenantId', :tenantId::text)))
  insert into delivery (delivery_id, event_id, tenant_id, endpoint_id, stream, next_attempt_at)
  values (:deliveryId, :eventId, :tenantId, :endpointId, 'test ' || :eventId::text, clock_timestamp())`;

/** Writes an event `webhook.test`, which waits for no other. @throws Problem `not_found`. */
export function testEndpoint(database: Database, author: Author, endpointId: string): Promise<DeliveryRecord> {
  const key = { tenantId: author.tenantId, endpointId };
  return database.transaction(async (transaction) => {
    await requireEndpoint(transaction, key);
    const deliveryId = uuidv7();
    await rows(transaction, writeTest, { ...key, eventId: uuidv7(), deliveryId });
    await recordAudit(transaction, author, {
      action: 'webhook.test',
      objectType: 'webhook',
      objectId: endpointId,
      after: { deliveryId },
    });
    const written = await findDelivery(transaction, key, deliveryId);
    if (!written) throw new Error('it was just written');
    return written;
  });
}
