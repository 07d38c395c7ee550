import { gatewayOperations } from '#domain/orders/callback.ts';
import { ORDERS_PREFIX } from '#domain/orders/operations/describe.ts';
import { orderOperations } from '#domain/orders/operations.ts';
import type { OpenApiDocument } from '../http/openapi.ts';
import { merchantWebhook } from './merchant-events/description.ts';
import { openApiDocument } from './order-api.ts';

const description =
  'Orders, paid with points, coupons and a payment gateway. Every response has a numeric code; 1000 is success. A person ' +
  'calls with a platform token, a program with an API key of its tenant, of which each operation names the scopes.';

/** The document served at `/openapi.json`. */
export function ordersOpenApi(): OpenApiDocument {
  const operations = { ...orderOperations, ...gatewayOperations };
  return openApiDocument('Order service', description, [{ prefix: ORDERS_PREFIX, operations }], [merchantWebhook]);
}
