import { z } from 'zod';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import type { OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { insertTestEvent, listDeliveries, redeliver } from '#db/orders/merchant-events/deliveries.ts';
import { deleteWebhook, findWebhook, putWebhook } from '#db/orders/merchant-events/webhooks.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { mapPage, pageOf } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { merchantEventOperations } from '#domain/orders/operations/merchant-events.ts';
import { presentDelivery, presentWebhook } from '#api/orders/merchant-events/present.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { decodeListCursor } from '#api/orders/order-cursor.ts';
import { reachOf } from '#api/orders/tenants.ts';
import { authorOf, requireReachedTenant } from './access.ts';

export interface WebhookRouteDeps {
  database: Database;
  encryption: Encryption;
  targets: OutsideAddresses;
}

const PAGE = 50;

/** The last delivery of the page before. */
const positionSchema = z.tuple([z.uuid()]);

function webhookRoutes(serve: ServeOrders, { database, encryption, targets }: WebhookRouteDeps): void {
  serve(merchantEventOperations.putWebhook, {
    handle: async ({ actor: payer, params: { id: tenantId }, body }) => {
      await requireReachedTenant(database, payer, tenantId);
      const problem = await targets.problemOf(new URL(body.url));
      if (problem !== null) throw new OrderError(90001, { errors: [{ path: '/url', message: problem }] });
      const secret = body.secret ?? newWebhookSecret();
      const webhook = { tenantId, url: body.url, secret };
      const stored = await putWebhook(database, encryption, { webhook, author: authorOf(payer) });
      return { ...presentWebhook(stored), ...(body.secret ? {} : { secret }) };
    },
  });

  serve(merchantEventOperations.getWebhook, {
    handle: async ({ actor: payer, params: { id: tenantId } }) => {
      await requireReachedTenant(database, payer, tenantId);
      const webhook = await findWebhook(database, tenantId);
      return webhook && presentWebhook(webhook);
    },
  });

  serve(merchantEventOperations.deleteWebhook, {
    handle: async ({ actor: payer, params: { id: tenantId } }) => {
      await requireReachedTenant(database, payer, tenantId);
      const removed = await deleteWebhook(database, { tenantId, author: authorOf(payer) });
      return removed && presentWebhook(removed);
    },
  });

  serve(merchantEventOperations.testWebhook, {
    handle: async ({ actor: payer, params: { id: tenantId } }) => {
      await requireReachedTenant(database, payer, tenantId);
      const delivery = await insertTestEvent(database, { tenantId, author: authorOf(payer) });
      if (!delivery) throw new OrderError(90201, { message: 'The tenant has no webhook' });
      return presentDelivery(delivery);
    },
  });
}

function deliveryRoutes(serve: ServeOrders, { database }: WebhookRouteDeps): void {
  serve(merchantEventOperations.listDeliveries, {
    handle: async ({ actor: payer, query: { orderId = null, cursor, limit = PAGE } }) => {
      const [after = null] = decodeListCursor(positionSchema, cursor) ?? [];
      const found = await listDeliveries(database, { ...reachOf(payer), orderId, after, limit: limit + 1 });
      const page = pageOf(found, limit, ({ deliveryId }) => [deliveryId]);
      return withOrderTitles(database, mapPage(page, presentDelivery));
    },
  });

  serve(merchantEventOperations.redeliver, {
    handle: async ({ actor: payer, params: { id } }) => {
      if (!z.uuid().safeParse(id).success) throw new OrderError(90200, { message: 'There is no such delivery' });
      const delivery = await redeliver(database, {
        ...reachOf(payer),
        deliveryId: id,
        author: authorOf(payer),
      });
      if (!delivery) throw new OrderError(90200, { message: 'There is no such delivery' });
      if (delivery === 'no_webhook') throw new OrderError(90201, { message: 'The tenant has no webhook' });
      return presentDelivery(delivery);
    },
  });
}

/** A merchant's webhook endpoint and its deliveries. */
export function merchantEventRoutes(serve: ServeOrders, deps: WebhookRouteDeps): void {
  webhookRoutes(serve, deps);
  deliveryRoutes(serve, deps);
}
