import { type Database, firstRow } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type DeliveryRecord, lockWebhook } from '#db/outreach/webhooks/deliveries.ts';
import { noWebhook, readDelivery } from './webhooks.ts';

/** Writes an event `webhook.test`, which waits for no other. @throws Problem `invalid_state` without a webhook. */
export function insertTestEvent(database: Database, author: Author): Promise<DeliveryRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    if (!(await lockWebhook(transaction, tenantId))) throw noWebhook();
    const event = await firstRow<{ eventId: string }>(
      transaction,
      `select write_outgoing_event(:tenantId, 'test ' || gen_random_uuid(), 'webhook.test',
         jsonb_build_object('tenantId', :tenantId::text), null, null, interval '0') as event_id`,
      { tenantId },
    );
    const written = await firstRow<{ deliveryId: string }>(
      transaction,
      'select delivery_id from delivery where event_id = :eventId',
      { ...event },
    );
    if (!written) throw noWebhook();
    await recordAudit(transaction, author, {
      action: 'webhook.test',
      objectType: 'webhook',
      objectId: tenantId,
      after: written,
    });
    return readDelivery(transaction, written.deliveryId);
  });
}
