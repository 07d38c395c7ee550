import { type Database, firstRow } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type DeliveryRecord, lockWebhook } from '#db/outreach/webhooks/deliveries.ts';
import { makeDue } from '#db/webhooks/claims.ts';
import { Problem } from '#domain/api/problem.ts';
import { noWebhook, readDelivery } from './webhooks.ts';

/** Delivers an event again, now. @throws Problem `not_found`, `invalid_state` without a webhook. */
export function redeliver(database: Database, author: Author, deliveryId: string): Promise<DeliveryRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const webhook = await lockWebhook(transaction, tenantId);
    const before = await firstRow<{ status: string; attempts: number }>(
      transaction,
      'select status, attempts from delivery where tenant_id = :tenantId and delivery_id = :deliveryId',
      { tenantId, deliveryId },
    );
    if (!before) throw new Problem('not_found', 'There is no such delivery');
    if (!webhook) throw noWebhook();
    await makeDue(transaction, deliveryId);
    await recordAudit(transaction, author, {
      action: 'webhook.redeliver',
      objectType: 'webhook',
      objectId: tenantId,
      before: { deliveryId, ...before },
      after: { status: 'pending' },
    });
    return readDelivery(transaction, deliveryId);
  });
}
