import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type DeliveryRecord, findDelivery } from '#db/outreach/webhooks/deliveries.ts';
import { makeDue } from '#db/webhooks/claims.ts';
import { Problem } from '#domain/api/problem.ts';
import { requireEndpoint } from './endpoints.ts';

const noDelivery = () => new Problem('not_found', 'There is no such delivery');

/** Delivers an event to an endpoint again, now. @throws Problem `not_found`. */
export function redeliver(
  database: Database,
  author: Author,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
): Promise<DeliveryRecord> {
  const key = { tenantId: author.tenantId, endpointId };
  return database.transaction(async (transaction) => {
    await requireEndpoint(transaction, key);
    const before = await findDelivery(transaction, key, deliveryId);
    if (!before) throw noDelivery();
    await makeDue(transaction, deliveryId);
    const { status, attempts } = before;
    await recordAudit(transaction, author, {
      action: 'webhook.redeliver',
      objectType: 'webhook',
      objectId: endpointId,
      before: { deliveryId, status, attempts },
      after: { status: 'pending' },
    });
    const after = await findDelivery(transaction, key, deliveryId);
    if (!after) throw noDelivery();
    return after;
  });
}
