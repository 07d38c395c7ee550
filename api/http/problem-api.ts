import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { idempotencyHeaders, isAnsweredOnce } from '#domain/api/idempotency.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { scopesFor } from '#domain/keys/scopes.ts';
import { Problem, problems, problemSchema, type ProblemCode } from '#domain/api/problem.ts';
import { documentBy, entityTagOf, listOfCodes, responsesByStatus } from './openapi.ts';
import { type ApiConventions, serveBy } from './serve.ts';

/** Conventions of the outreach APIs: plain responses, and errors that are problem documents (RFC 9457). */

export const problemConventions: ApiConventions<AnyOperation> = {
  checks: ['path', 'query', 'header', 'body'],
  invalid: (part, errors, operation) =>
    part === 'path'
      ? // A parameter that cannot be an id is treated like an id that does not exist.
        new Problem('not_found', `There is no ${operation.tag} with this id`)
      : new Problem('invalid_request', `The ${part} does not match its schema`, { errors }),
  envelope: (_, response) => response,
};

/** Serves operations. Errors come in the order 401, 403, 404, 400, then those of the handler. */
export const createServe = serveBy(problemConventions);

const always: ProblemCode[] = ['invalid_request', 'unauthorized', 'forbidden', 'unavailable'];

/** The codes that any operation of this kind may fail with, plus its own. */
function codesOf(operation: AnyOperation): ProblemCode[] {
  const own = operation.errors ?? [];
  if (operation.access === 'public') return [...own];
  const byForm: ProblemCode[] = [
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.body || operation.bodyType ? (['too_slow', 'too_large'] as const) : []),
    ...(operation.method === 'get' ? [] : (['unsupported_media_type'] as const)),
    ...(isAnsweredOnce(operation) ? (['conflict', 'idempotency_key_reused', 'too_slow', 'too_large'] as const) : []),
  ];
  return [...new Set([...always, ...byForm, ...own])];
}

function success(operation: AnyOperation): RouteConfig['responses'][string] {
  if (operation.status === 302) return { description: operation.summary, headers: z.object({ location: z.string() }) };
  if (!operation.response) return { description: 'Done' };
  return {
    description: operation.summary,
    ...entityTagOf(operation.response),
    content: { [operation.responseType ?? 'application/json']: { schema: operation.response } },
  };
}

/** OpenAPI document of a service whose errors are problem documents. */
export const openApiDocument = documentBy<AnyOperation>({
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with one of the scopes' },
  },
  headers: (operation) =>
    isAnsweredOnce(operation) ? idempotencyHeaders.extend(operation.headers?.shape ?? {}) : operation.headers,
  security(operation): Record<string, string[]>[] {
    if (operation.access === 'public') return [];
    const apiKey = scopesFor(operation);
    return [{ bearer: [] }, { session: [] }, ...(apiKey.length > 0 ? [{ apiKey }] : [])];
  },
  responses: (operation) => ({
    [operation.status]: success(operation),
    ...responsesByStatus(codesOf(operation), {
      statusOf: (code) => problems[code].status,
      describe: (codes) => listOfCodes(codes, (code) => problems[code].title),
      content: { 'application/problem+json': { schema: problemSchema } },
    }),
  }),
});
