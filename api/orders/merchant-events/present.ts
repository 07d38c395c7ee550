import type { DeliveryRow } from '#db/orders/merchant-events/deliveries.ts';
import type { Webhook } from '#db/orders/models/merchant-events.ts';
import type { DeliveryData } from '#domain/orders/administration/merchant-events.ts';

/** A delivery in its response. */
export const presentDelivery = (row: DeliveryRow): DeliveryData => ({
  ...row,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

/** A webhook in its response, without its secret. */
export const presentWebhook = ({ tenantId, url, updatedAt }: Webhook) => ({
  tenantId,
  url,
  updatedAt: updatedAt.toISOString(),
});
