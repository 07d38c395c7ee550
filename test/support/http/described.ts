import { expect } from 'chai';
import { z } from 'zod';
import type { OpenApiDocument } from '#api/http/openapi.ts';

interface DescribedResponse {
  content?: Record<string, { schema?: object }>;
  headers?: Record<string, unknown>;
}

interface DescribedOperation {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, DescribedResponse>;
}

/** A response as received over HTTP. */
export interface RealResponse {
  status: number;
  headers: Headers;
  text: string;
}

export async function realResponse(response: Response): Promise<RealResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Every operation of a document, as `[METHOD, path, operation]`. */
export function describedOperations(document: OpenApiDocument): [string, string, DescribedOperation][] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DescribedOperation>).map(
      ([method, operation]): [string, string, DescribedOperation] => [method.toUpperCase(), path, operation],
    ),
  );
}

/**
 * Compares responses with what an OpenAPI document says about their operation: status, media type, headers and body.
 * @returns a function that fails the test if they differ.
 */
export function describedResponses(document: OpenApiDocument) {
  const definitions = JSON.parse(
    JSON.stringify(document.components?.schemas ?? {}).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as object;
  const schemas = new Map<object, z.ZodType>();

  function compiled(schema: object): z.ZodType {
    const found = schemas.get(schema);
    if (found) return found;
    const own = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as object;
    const made = z.fromJSONSchema({ ...own, $defs: definitions } as Parameters<typeof z.fromJSONSchema>[0]);
    schemas.set(schema, made);
    return made;
  }

  return function expectDescribed(
    [method, path, operation]: [string, string, DescribedOperation],
    result: RealResponse,
  ) {
    const where = `${method} ${path} → ${result.status}: ${result.text.slice(0, 500)}`;
    const status = String(result.status);
    const response = operation.responses[status] ?? operation.responses[`${status.charAt(0)}XX`];
    if (!response) throw new Error(`not described: ${where}`);
    for (const name of Object.keys(response.headers ?? {})) expect(result.headers.get(name), where).to.be.a('string');
    const [type = ''] = (result.headers.get('content-type') ?? '').split(';');
    if (!response.content) {
      if (result.status !== 302) expect(result.text, where).to.equal('');
      return;
    }
    expect(Object.keys(response.content), where).to.include(type);
    const schema = response.content[type]?.schema;
    if (!schema || !type.includes('json')) return;
    const checked = compiled(schema).safeParse(JSON.parse(result.text));
    expect(checked.error?.issues ?? [], where).to.deep.equal([]);
  };
}
