import { expect } from 'chai';
import { z } from 'zod';
import type { OpenApiDocument } from '#api/http/openapi.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: object;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { schema?: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
}

/** Resolves a `$ref` within the document. */
function resolved(document: object, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], document);
}

/** @returns the schemas of what the operation takes and returns */
function expectValidOperation(
  document: OpenApiDocument,
  where: string,
  path: string,
  operation: Operation,
): (object | undefined)[] {
  const { parameters = [], security = [], requestBody, responses } = operation;
  const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
  expect(new Set(places).size, where).to.equal(places.length);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  for (const parameter of inPath) expect(parameter.required, where).to.equal(true);
  const templates = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(inPath.map(({ name }) => name).sort(), where).to.deep.equal(templates.sort());
  for (const scheme of security.flatMap((requirement) => Object.keys(requirement))) {
    expect(document.components?.securitySchemes, where).to.have.property(scheme);
  }
  expect(Object.keys(responses), where).to.not.deep.equal([]);
  for (const [status, { description }] of Object.entries(responses)) {
    expect(status, where).to.match(/^([1-5](\d\d|XX)|default)$/);
    expect(description, where).to.be.a('string');
  }
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  const media = contents.flatMap((content) => Object.values(content ?? {}));
  const schemas = [...parameters, ...media].map(({ schema }) => schema);
  for (const schema of schemas) expect(schema, where).to.be.an('object');
  return schemas;
}

/** All at once: each of them alone would read the document's schemas again. */
function expectValidSchemas(document: OpenApiDocument, schemas: unknown[]): void {
  const text = JSON.stringify({ anyOf: schemas, $defs: document.components?.schemas ?? {} });
  const own = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Parameters<
    typeof z.fromJSONSchema
  >[0];
  expect(() => z.fromJSONSchema(own)).to.not.throw();
}

/** Fails the test if a document breaks a rule of OpenAPI 3.1: structure, names, references, schemas. */
export function expectValidOpenApi(document: OpenApiDocument): void {
  expect(document.openapi).to.match(/^3\.1\.\d+$/);
  expect(document.info.title).to.be.a('string').and.not.equal('');
  expect(document.info.version).to.be.a('string').and.not.equal('');
  const ids: string[] = [];
  const schemas: unknown[] = [];
  const paths = Object.keys(document.paths ?? {});
  const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  expect(new Set(shapes).size, 'paths that differ only in parameter names').to.equal(paths.length);
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    expect(path).to.match(/^\//);
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      expect(method).to.be.oneOf(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
      schemas.push(...expectValidOperation(document, `${method} ${path}`, path, operation));
      if (operation.operationId !== undefined) ids.push(operation.operationId);
    }
  }
  expectValidSchemas(document, schemas);
  expect(new Set(ids).size, 'operation ids').to.equal(ids.length);
  for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    expect(resolved(document, reference), reference).to.be.an('object');
  }
}
