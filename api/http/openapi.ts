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

function problemResponses(operation: AnyOperation): RouteConfig['responses'] {
  const codes = operation.access === 'public' ? (operation.problems ?? []) : [...always, ...(operation.problems ?? [])];
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
  if (!operation.answer) return { description: 'Done' };
  return {
    description: operation.summary,
    content: { [operation.answerType ?? 'application/json']: { schema: operation.answer } },
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
  return new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description },
  });
}
