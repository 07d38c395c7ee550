import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { AnyApiOperation } from '#domain/api/operation.ts';
import release from '#package.json' with { type: 'json' };

extendZodWithOpenApi(z);

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;
type SecurityScheme = Parameters<OpenAPIRegistry['registerComponent']>[2];
type Responses = RouteConfig['responses'];

/** The input of a document. The status belongs to `responses`. */
export type DescribedOperation = Omit<AnyApiOperation, 'status'>;

/** How one kind of API describes what its operations have in common. */
export interface DocumentConventions<Any extends DescribedOperation> {
  securitySchemes: Record<string, SecurityScheme>;
  /** Security schemes, any one of which is sufficient, with the scopes of which one suffices; none if the operation is public. */
  security: (operation: Any) => Record<string, string[]>[];
  /** Headers of the request; those of the operation where absent. */
  headers?: (operation: Any) => Any['headers'];
  /** Every response, successes and errors. */
  responses: (operation: Any) => Responses;
  /** What an empty body is parsed as; undefined if absent. */
  emptyBody?: unknown;
}

export interface OperationGroup<Any extends DescribedOperation> {
  /** e.g. `/api/v1`. */
  prefix: string;
  /** Operations by their ids, or a list if they have none. */
  operations: Record<string, Any> | readonly Any[];
}

/** One response for each distinct status of the codes. */
export function responsesByStatus<Code>(
  codes: readonly Code[],
  of: {
    statusOf: (code: Code) => number;
    describe: (codes: readonly Code[]) => string;
    content: Record<string, { schema: z.ZodType }>;
  },
): Responses {
  const statuses = new Set(codes.map((code) => of.statusOf(code)));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      { description: of.describe(codes.filter((code) => of.statusOf(code) === status)), content: of.content },
    ]),
  );
}

/** In Markdown, one code a line with what it means. */
export function listOfCodes<Code extends string | number>(
  codes: readonly Code[],
  meaning: (code: Code) => string,
): string {
  return codes.map((code) => `- \`${code}\`: ${meaning(code)}`).join('\n');
}

/** Of a response that is an object with an entity tag, or that has one among others. */
export function entityTagOf(response: z.ZodType | undefined): { headers?: z.ZodObject } {
  if (!(response instanceof z.ZodObject) || !('etag' in response.shape)) return {};
  return { headers: z.object({ ETag: z.string() }) };
}

function requestBody({ body, bodyType, example }: DescribedOperation, emptyBody: unknown) {
  if (bodyType) return { content: { [bodyType]: { schema: z.string() } }, required: true };
  if (!body) return undefined;
  const content = { schema: body, ...(example === undefined ? {} : { example }) };
  return { content: { 'application/json': content }, required: !body.safeParse(emptyBody).success };
}

function routeConfig<Any extends DescribedOperation>(
  { security, headers: headersOf, responses, emptyBody }: DocumentConventions<Any>,
  operation: Any,
  { prefix, operationId }: { prefix: string; operationId: string | null },
): RouteConfig {
  const body = requestBody(operation, emptyBody);
  const headers = headersOf ? headersOf(operation) : operation.headers;
  return {
    method: operation.method,
    path: `${prefix}${operation.path}`,
    ...(operationId === null ? {} : { operationId }),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: security(operation),
    request: {
      ...(operation.params ? { params: operation.params } : {}),
      ...(operation.query ? { query: operation.query } : {}),
      ...(headers ? { headers } : {}),
      ...(body ? { body } : {}),
    },
    responses: responses(operation),
  };
}

/** A request that a service sends, by the address that was given to it. */
export interface DescribedWebhook {
  name: string;
  summary: string;
  description: string;
  headers: z.ZodObject<z.ZodRawShape>;
  body: z.ZodType;
  /** What the receiver's responses mean, by status. */
  responses: Record<string, string>;
}

function webhookConfig({ name, summary, description, headers, body, responses }: DescribedWebhook): RouteConfig {
  return {
    method: 'post',
    path: name,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    request: { headers, body: { content: { 'application/json': { schema: body } }, required: true } },
    responses: Object.fromEntries(Object.entries(responses).map(([status, description]) => [status, { description }])),
  };
}

const readiness = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) }).meta({ id: 'Readiness' });

/** Endpoints that every service has for itself. */
const serviceRoutes: RouteConfig[] = (
  [
    ['/healthz', 'Whether the process is up', 'application/json', z.object({ status: z.literal('up') })],
    ['/livez', 'Whether the process is up', 'application/json', z.object({ status: z.literal('up') })],
    ['/readyz', 'Whether an API has its database, and a worker polls', 'application/json', readiness],
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
      ? { 503: { description: 'What is unavailable, with the reason', content: { [type]: { schema } } } }
      : {}),
  },
}));

/**
 * Returns, for one kind of API, a function that creates a service's OpenAPI 3.1 document from the schemas that
 * validate its requests.
 */
export function documentBy<Any extends DescribedOperation>(conventions: DocumentConventions<Any>) {
  return function openApiDocument(
    title: string,
    description: string,
    groups: readonly OperationGroup<Any>[],
    webhooks: readonly DescribedWebhook[] = [],
  ): OpenApiDocument {
    const registry = new OpenAPIRegistry();
    for (const [name, scheme] of Object.entries(conventions.securitySchemes)) {
      registry.registerComponent('securitySchemes', name, scheme);
    }
    for (const { prefix, operations } of groups) {
      const named = !Array.isArray(operations);
      for (const [key, operation] of Object.entries<Any>(operations)) {
        registry.registerPath(routeConfig(conventions, operation, { prefix, operationId: named ? key : null }));
      }
    }
    for (const webhook of webhooks) registry.registerWebhook(webhookConfig(webhook));
    for (const route of serviceRoutes) registry.registerPath(route);
    return new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
      openapi: '3.1.0',
      info: { title, version: release.version, description },
    });
  };
}
