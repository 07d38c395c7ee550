import { z } from 'zod';
import { merchantEventSchema } from '../../../domain/orders/administration/merchant-events.ts';
import type { DescribedWebhook } from '../../http/openapi.ts';

const headers = z.object({
  'webhook-id': z.string().describe('The id of the event; the same for each attempt, so that repeats can be told'),
  'webhook-timestamp': z.string().describe('When this attempt was signed, in seconds since 1970'),
  'webhook-signature': z
    .string()
    .describe('`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`'),
});

/** What merchants receive, for the OpenAPI document. */
export const merchantWebhook: DescribedWebhook = {
  name: 'merchantEvent',
  summary: 'What happened to an order, sent to the webhook of its tenant',
  description: `Signed as [Standard Webhooks](https://www.standardwebhooks.com). Each event is sent at least once, and the
events of one order in their order: the next one only after the one before was accepted or given up. One that is not
accepted within 10 s is sent again, ever less often, for 3 days. Redirects are not followed.`,
  headers,
  body: merchantEventSchema.meta({ id: 'MerchantEvent' }),
  responses: { '2XX': 'Accepted', default: 'Not accepted: the event is sent again' },
};
