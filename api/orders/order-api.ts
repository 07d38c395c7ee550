import { z } from 'zod';
import { orderCodes, OrderError, type OrderCode, type OrderErrorCode } from '#domain/orders/codes.ts';
import type { AnyOrderOperation } from '#domain/orders/operations/describe.ts';
import { envelope } from '#domain/orders/responses.ts';
import { documentBy, entityTagOf, listOfCodes, responsesByStatus } from '../http/openapi.ts';
import { type ApiConventions, serveBy } from '../http/serve.ts';
import { enveloped } from './responses.ts';
import type { Payer } from './session.ts';

/** An impossible id is responded to like an unknown one; where something is created, it is malformed. */
const unknown = ({ method, errors }: AnyOrderOperation): OrderErrorCode | undefined =>
  method === 'put' ? undefined : ([90200, 90201] as const).find((code) => errors?.includes(code));

/** Conventions of the order service's operations: numeric codes, and an envelope around responses and errors. */
export const orderConventions: ApiConventions<AnyOrderOperation> = {
  checks: ['body', 'query', 'header', 'path'],
  invalid: (part, errors, operation) => new OrderError((part === 'path' && unknown(operation)) || 90001, { errors }),
  envelope: enveloped,
};

/** Serves operations. Errors come in the order 90002, 90003 (role), 90001, then those of the handler. */
export const createServe = serveBy(orderConventions);
export type ServeOrders = ReturnType<typeof createServe<Payer>>;

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const errorContent = json(envelope(z.unknown()));

const always: OrderCode[] = [90001, 90002, 90003, 90999];

/** 90999 with another status than its default; operations with other codes of this status list those. */
const unavailable = { 503: { description: '90999: currently unavailable; try again', content: errorContent } };

/** 90001 with other statuses than its default. */
const malformedBody = {
  408: { description: '90001: the body arrives too slowly', content: errorContent },
  413: { description: '90001: the body is larger than 1 MiB', content: errorContent },
  415: { description: '90001: the body is not application/json, or has a Content-Encoding', content: errorContent },
};

/** OpenAPI document of a service with numeric codes. */
export const openApiDocument = documentBy<AnyOrderOperation>({
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    apiKey: { type: 'http', scheme: 'bearer' },
  },
  security: ({ access, scopes }) => {
    const ofKeys: Record<string, string[]>[] = scopes ? [{ apiKey: [...scopes] }] : [];
    return access === 'gateway' ? [] : [{ bearer: [] }, ...ofKeys];
  },
  responses: ({ access, scopes, status, body, response = z.null(), responseType, errors = [] }) => ({
    [status]: responseType
      ? { description: 'Without an envelope', content: { [responseType]: { schema: response } } }
      : { description: '1000', ...entityTagOf(response), content: json(envelope(response)) },
    ...unavailable,
    ...responsesByStatus<OrderCode>(
      access === 'gateway' ? errors : [...new Set([...always, ...(scopes ? ([90029] as const) : []), ...errors])],
      {
        statusOf: (code) => orderCodes[code].status,
        describe: (codes) => listOfCodes(codes, (code) => orderCodes[code].message),
        content: errorContent,
      },
    ),
    ...(body ? malformedBody : {}),
  }),
});
