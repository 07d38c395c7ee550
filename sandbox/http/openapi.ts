import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { type OpenApiDocument, registerServiceRoutes } from '../../api/http/openapi.ts';
import { isControl } from './route.ts';
import type { Description, Route } from './route.ts';

extendZodWithOpenApi(z);

const refusalSchema = z.looseObject({ code: z.string(), message: z.string() }).meta({ id: 'Refusal' });
const anything = z.record(z.string(), z.unknown());

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** The router's path in OpenAPI's form: `/tasks/:id\:cancel` is `/tasks/{id}:cancel`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/\\:|:(\w+)/g, (_, name?: string) => (name === undefined ? ':' : `{${name}}`));
}

function request(path: string, { body, query, headers }: Description): RouteConfig['request'] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  return {
    ...(names.length > 0 ? { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) } : {}),
    ...(query ? { query } : {}),
    ...(headers ? { headers } : {}),
    // An empty body counts as {}.
    ...(body ? { body: { content: json(body), required: !body.safeParse({}).success } } : {}),
  };
}

function routeConfig(route: Route, description: Description): RouteConfig {
  const path = pathTemplate(route.path);
  return {
    method: route.method.toLowerCase() as RouteConfig['method'],
    path,
    tags: [path.split('/')[1] ?? ''],
    summary: description.summary,
    ...(isControl(route) ? {} : { operationId: route.code }),
    security: description.access ? [{ [description.access]: [] }] : [],
    request: request(path, description),
    responses: {
      '2XX': { description: description.summary, content: json(description.response ?? anything) },
      '4XX': { description: 'A refusal, with the reason', content: json(refusalSchema) },
    },
  };
}

/** OpenAPI 3.1 of every route with a description, from the schemas that check its requests. */
export function openApiOf(routes: Route[]): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'signature', {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`PLATFORM <tenantIntegrationId>:<signature>`, with the nonce in `X-Platform-Nonce`',
  });
  registry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  for (const route of routes) {
    if (route.description) registry.registerPath(routeConfig(route, route.description));
  }
  registerServiceRoutes(registry);
  return new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sandbox',
      version: '1.0.0',
      description:
        'Development’s platform and payment gateway, and their control; operations with an id are known by it to faults and ' +
        'the log of calls. The identity service has its own document, `/identity/.well-known/openid-configuration`.',
    },
  });
}
