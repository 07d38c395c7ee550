import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { envelope } from '../../domain/orders/responses.ts';
import { callbackSchema, GATEWAY_SIGNATURE_HEADER } from '../../domain/orders/callback.ts';
import { orderCodes, type OrderCode } from '../../domain/orders/codes.ts';
import { registerServiceRoutes } from '../http/openapi.ts';
import { orderOperations, type OrderOperation } from '../../domain/orders/operations.ts';

extendZodWithOpenApi(z);

const PREFIX = '/transaction/v1';
const always: OrderCode[] = [90001, 90002, 90003, 90999];

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

function refusals(codes: readonly OrderCode[]): RouteConfig['responses'] {
  const statuses = new Set(codes.map((code) => orderCodes[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: codes
          .filter((code) => orderCodes[code].status === status)
          .map((code) => `${code}: ${orderCodes[code].message}`)
          .join('. '),
        content: json(envelope(z.unknown())),
      },
    ]),
  );
}

/** 90001 by other statuses than its own. */
const malformedBody: RouteConfig['responses'] = {
  413: { description: '90001: the body is larger than 1 MiB', content: json(envelope(z.unknown())) },
  415: { description: '90001: the body is not application/json', content: json(envelope(z.unknown())) },
};

function describe(operationId: string, operation: OrderOperation): RouteConfig {
  const hasBody = operation.method !== 'get';
  return {
    method: operation.method,
    path: `${PREFIX}${operation.path}`,
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    security: [{ bearer: [] }],
    request: {
      ...(operation.path.includes('{') ? { params: operation.params as z.ZodObject } : {}),
      ...(operation.query instanceof z.ZodObject && Object.keys(operation.query.shape).length > 0
        ? { query: operation.query }
        : {}),
      ...(hasBody ? { body: { required: true, content: json(operation.body) } } : {}),
    },
    responses: {
      200: { description: '1000', content: json(envelope(operation.response)) },
      ...refusals([...always, ...operation.codes]),
      ...(hasBody ? malformedBody : {}),
    },
  };
}

const callback: RouteConfig = {
  method: 'post',
  path: `${PREFIX}/payment-gateway/callback`,
  operationId: 'gatewayCallback',
  tags: ['payment gateway'],
  summary: 'Told by the payment gateway that a charge is paid; recorded before it is answered, safe to repeat',
  security: [],
  request: {
    headers: z.object({ [GATEWAY_SIGNATURE_HEADER]: z.string() }),
    body: { required: true, content: json(callbackSchema) },
  },
  responses: {
    200: { description: '1000', content: json(envelope(z.null())) },
    ...refusals([90001, 90002, 90999]),
    ...malformedBody,
  },
};

/** OpenAPI 3.1 of the order service, from the schemas that validate its requests. */
export function ordersOpenApi(): ReturnType<OpenApiGeneratorV31['generateDocument']> {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  for (const [operationId, operation] of Object.entries(orderOperations)) {
    registry.registerPath(describe(operationId, operation));
  }
  registry.registerPath(callback);
  registerServiceRoutes(registry);
  return new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Order service',
      version: '1.0.0',
      description:
        'Orders, paid with points, coupons and a payment gateway. Every answer has a numeric code; 1000 is success.',
    },
  });
}
