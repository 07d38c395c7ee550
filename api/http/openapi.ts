import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { AnyOperation } from '../../domain/api/operation.ts';
import { problems, problemSchema, type ProblemCode } from '../../domain/api/problem.ts';

extendZodWithOpenApi(z);

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

const always: ProblemCode[] = ['invalid_request', 'unauthorized', 'forbidden', 'unavailable'];

/** What any operation of this form may be answered with, besides what it says itself. */
function codesOf(operation: AnyOperation): ProblemCode[] {
  const own = operation.errors ?? [];
  if (operation.access === 'public') return [...own];
  const byForm: ProblemCode[] = [
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.body || operation.bodyType ? (['too_large'] as const) : []),
  ];
  return [...new Set([...always, ...byForm, ...own])];
}

function problemResponses(operation: AnyOperation): RouteConfig['responses'] {
  const codes = codesOf(operation);
  const statuses = new Set(codes.map((code) => problems[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: codes.filter((code) => problems[code].status === status).join(', '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}

function success(operation: AnyOperation): RouteConfig['responses'][string] {
  if (operation.status === 302) return { description: operation.summary, headers: z.object({ location: z.string() }) };
  if (!operation.response) return { description: 'Done' };
  return {
    description: operation.summary,
    content: { [operation.responseType ?? 'application/json']: { schema: operation.response } },
  };
}

function requestBody(operation: AnyOperation) {
  if (operation.bodyType) return { content: { [operation.bodyType]: { schema: z.string() } }, required: true };
  if (!operation.body) return undefined;
  return {
    content: { 'application/json': { schema: operation.body } },
    required: !operation.body.safeParse(undefined).success,
  };
}

function routeConfig(operationId: string, operation: AnyOperation, prefix: string): RouteConfig {
  const body = requestBody(operation);
  return {
    method: operation.method,
    path: `${prefix}${operation.path}`,
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: operation.access === 'public' ? [] : [{ bearer: [] }, { session: [] }],
    request: {
      ...(operation.params ? { params: operation.params } : {}),
      ...(operation.query ? { query: operation.query } : {}),
      ...(operation.headers ? { headers: operation.headers } : {}),
      ...(body ? { body } : {}),
    },
    responses: { [operation.status]: success(operation), ...problemResponses(operation) },
  };
}

export interface DescribedOperations {
  /** e.g. `/api/v1`. */
  prefix: string;
  operations: Record<string, AnyOperation>;
}

const readiness = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) }).meta({ id: 'Readiness' });

/** What every service answers about itself. */
const serviceRoutes: RouteConfig[] = (
  [
    ['/healthz', 'Whether the process is up', 'application/json', z.object({ status: z.literal('up') })],
    ['/readyz', 'Whether database, Temporal and pollers are reachable', 'application/json', readiness],
    ['/metrics', 'Metrics in Prometheus’ text format, at METRICS_HOST', 'text/plain', z.string()],
    ['/openapi.json', 'This document', 'application/json', z.record(z.string(), z.unknown())],
  ] as const
).map(([path, summary, type, schema]) => ({
  method: 'get',
  path,
  operationId: path.replace(/\W+(\w+).*/, '$1'),
  tags: ['service'],
  summary,
  security: [],
  responses: {
    200: { description: summary, content: { [type]: { schema } } },
    ...(path === '/readyz'
      ? { 503: { description: 'What is not, with the reason', content: { [type]: { schema } } } }
      : {}),
  },
}));

/** Adds what every service answers about itself. */
export function registerServiceRoutes(registry: OpenAPIRegistry): void {
  for (const route of serviceRoutes) registry.registerPath(route);
}

/** OpenAPI 3.1 of a service, from the schemas that validate its requests. */
export function openApiDocument(title: string, description: string, groups: DescribedOperations[]): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  registry.registerComponent('securitySchemes', 'session', { type: 'apiKey', in: 'cookie', name: 'session' });
  for (const { prefix, operations } of groups) {
    for (const [operationId, operation] of Object.entries(operations)) {
      registry.registerPath(routeConfig(operationId, operation, prefix));
    }
  }
  registerServiceRoutes(registry);
  return new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description },
  });
}
