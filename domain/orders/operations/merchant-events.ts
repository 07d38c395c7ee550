import {
  deliveryPageSchema,
  deliverySchema,
  deliverySearchSchema,
  putWebhookSchema,
  shownWebhookSchema,
  webhookSchema,
} from '../administration/merchant-events.ts';
import { byId, ofStaff, orderOperation } from './describe.ts';

/** Where a merchant receives events about its orders, and what became of each. */
export const merchantEventOperations = {
  putWebhook: orderOperation({
    method: 'put',
    path: '/admin/tenants/{id}/webhook',
    ...ofStaff,
    summary: 'Sets where a tenant receives its events; the secret is shown only in this response',
    params: byId,
    body: putWebhookSchema,
    response: shownWebhookSchema,
    errors: [90201],
  }),
  getWebhook: orderOperation({
    method: 'get',
    path: '/admin/tenants/{id}/webhook',
    ...ofStaff,
    summary: 'Where a tenant receives its events; null where it receives none',
    params: byId,
    response: webhookSchema.nullable(),
    errors: [90200, 90201],
  }),
  deleteWebhook: orderOperation({
    method: 'delete',
    path: '/admin/tenants/{id}/webhook',
    ...ofStaff,
    summary: 'Stops sending events to a tenant; what was not delivered stays undelivered',
    params: byId,
    response: webhookSchema.nullable(),
    errors: [90200, 90201],
  }),
  testWebhook: orderOperation({
    method: 'post',
    path: '/admin/tenants/{id}/webhook:test',
    ...ofStaff,
    summary: 'Sends an event `webhook.test` to the tenant’s webhook',
    params: byId,
    response: deliverySchema,
    errors: [90200, 90201],
  }),
  listDeliveries: orderOperation({
    method: 'get',
    path: '/admin/deliveries',
    ...ofStaff,
    summary: 'Events to the tenants’ webhooks and what became of them, newest first',
    query: deliverySearchSchema,
    response: deliveryPageSchema,
  }),
  redeliver: orderOperation({
    method: 'post',
    path: '/admin/deliveries/{id}:redeliver',
    ...ofStaff,
    summary: 'Delivers an event again, now',
    params: byId,
    response: deliverySchema,
    errors: [90200, 90201],
  }),
};
