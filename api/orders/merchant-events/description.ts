import { merchantEventSchema } from '#domain/orders/administration/merchant-events.ts';
import { describeWebhook } from '#api/runtime/webhooks/description.ts';

/** What merchants receive, for the OpenAPI document. */
export const merchantWebhook = describeWebhook({
  name: 'merchantEvent',
  summary: 'What happened to an order, sent to the webhook of its tenant',
  about: `Each event is sent at least once, and the events of one order in their order: the next one only after the one
before was accepted or given up.`,
  body: merchantEventSchema.meta({ id: 'MerchantEvent' }),
});
