import { z } from 'zod';
import { type DescribedOperation, documentBy, type OpenApiDocument } from '#api/http/openapi.ts';
import { isControl } from './route.ts';
import type { Description, Route } from './route.ts';

const errorSchema = z.looseObject({ code: z.string(), message: z.string() }).meta({ id: 'Refusal' });
const anything = z.record(z.string(), z.unknown());

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

const openApiDocument = documentBy({
  securitySchemes: {
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`PLATFORM <tenantIntegrationId>:<signature>`, with the nonce in `X-Platform-Nonce`',
    },
    key: { type: 'http', scheme: 'bearer' },
  },
  security: ({ access }) => (access === 'everybody' ? [] : [{ [access]: [] }]),
  responses: ({ summary, response = anything }) => ({
    '2XX': { description: summary, content: json(response) },
    '4XX': { description: 'An error, with the reason', content: json(errorSchema) },
  }),
  emptyBody: {},
});

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

function operationOf({ method, path }: Route, { access, ...description }: Description): DescribedOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  return {
    ...description,
    ...(names.length > 0 ? { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) } : {}),
    method: methods[method],
    path,
    tag: path.split('/')[1] ?? '',
    access: access ?? 'everybody',
  };
}

/** OpenAPI 3.1 of every route with a description, from the schemas that validate its requests. */
export function openApiOf(routes: Route[]): OpenApiDocument {
  const named: Record<string, DescribedOperation> = {};
  const unnamed: DescribedOperation[] = [];
  for (const route of routes) {
    if (!route.description) continue;
    if (isControl(route)) unnamed.push(operationOf(route, route.description));
    else named[route.code] = operationOf(route, route.description);
  }
  const description =
    'The platform, payment gateway and merchants’ receivers for development, and their control API; faults and the ' +
    'call log refer to operations by their id, if they have one. ' +
    'The identity service has its own document, `/identity/.well-known/openid-configuration`.';
  return openApiDocument('Sandbox', description, [
    { prefix: '', operations: named },
    { prefix: '', operations: unnamed },
  ]);
}
