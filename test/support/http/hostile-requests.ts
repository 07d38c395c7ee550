import * as fc from 'fast-check';
import type { OpenApiDocument } from '#api/http/openapi.ts';

/** As far as our documents use JSON Schema. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface DescribedOperation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

export interface HostileOperation {
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Null where it takes no body. */
  body: { type: string; schema: Schema } | null;
}

export interface HostileRequest {
  /** With its query. */
  path: string;
  type: string;
  /** Null where it has none. */
  body: string | null;
}

/** Every operation of a document with what it takes. */
export function hostileOperations(document: OpenApiDocument): HostileOperation[] {
  const entries = Object.entries((document.paths ?? {}) as Record<string, Record<string, DescribedOperation>>);
  return entries.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', parameters = [], requestBody }]) => {
      const [content] = Object.entries(requestBody?.content ?? {});
      const body = content ? { type: content[0], schema: content[1].schema ?? {} } : null;
      return { name: operationId, method: method.toUpperCase(), path, parameters, body };
    }),
  );
}

const nested = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
/** Own members with the names of what objects inherit, which only a parser can make. */
const prototypes: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');

/** What careless code takes for something else. */
export const hostileTexts = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff-',
  '\u202e',
  '1e400',
  '-0',
  '2147483648',
  '9223372036854775808',
  "' or 1=1; --",
  '%',
  '%00',
  '\\',
  '../../etc/passwd',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  '2026-13-45T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  'x'.repeat(100_000),
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, -1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, [], {}, [[]], [null]),
  fc.constantFrom<unknown>(
    prototypes,
    nested(40),
    nested(1500),
    Array.from({ length: 3000 }, () => 0),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const DEEPEST = 6;

/** Values that roughly fit a schema: those that get past the first check, and those that nearly do. */
function fitting(document: OpenApiDocument, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Schema) => fitting(document, one, depth + 1);
  const { $ref, enum: values, anyOf, oneOf, allOf, properties = {}, required = [], items } = schema;
  if (depth > DEEPEST) return fc.constant(null);
  if ($ref !== undefined) {
    const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
    return inner(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (values) return fc.constantFrom(...values);
  const options = anyOf ?? oneOf;
  if (options) return fc.oneof(...options.map(inner));
  if (allOf) return fc.tuple(...allOf.map(inner)).map((parts) => Object.assign({}, ...parts) as unknown);
  const [type = ''] = [schema.type].flat();
  switch (type) {
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])), {
        requiredKeys: required.filter((name) => name in properties),
      });
    case 'array':
      return fc.array(inner(items ?? {}), { maxLength: 3 });
    case 'integer':
    case 'number':
      return wholeOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textOf(schema);
  }
}

/** Whole numbers in the range, where it has any. */
function wholeOf({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  const min = Math.max(Math.ceil(minimum), Number.MIN_SAFE_INTEGER);
  return fc.integer({ min, max: Math.max(min, Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER)) });
}

function textOf({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.constantFrom('2026-12-01T08:00:00Z', '2030-01-01T00:00:00+14:00', '2543-03-18T07:54:47.239+20:28');
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.constantFrom('https://shop.example/x', 'http://[::1]/', 'https://x.invalid:99999/');
  return fc.string({ minLength: Math.min(minLength, 50), maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

/** The value with one of its parts replaced, removed or added; which one, `at` decides. */
function mutated(value: unknown, at: number, what: unknown): unknown {
  if (typeof value !== 'object' || value === null) return what;
  if (Array.isArray(value)) {
    const index = at % (value.length + 1);
    return value.toSpliced(index, 1, index < value.length && at % 3 > 0 ? mutated(value[index], at >> 2, what) : what);
  }
  const names = [...Object.keys(value), 'additional'];
  const name = names[at % names.length] ?? '';
  const { [name]: part, ...rest } = value as Record<string, unknown>;
  if (at % 7 === 0) return rest;
  return { ...value, [name]: at % 3 > 0 && part !== undefined ? mutated(part, at >> 2, what) : what };
}

const searchOf = (parameters: Parameter[], document: OpenApiDocument): fc.Arbitrary<string> => {
  const value = ({ schema = {} }: Parameter) => fc.oneof(fitting(document, schema), hostile);
  const pairs = parameters
    .filter((one) => one.in === 'query')
    .map((one) =>
      fc.array(value(one), { maxLength: 2 }).map((values) =>
        values.map((given) => {
          const text = typeof given === 'string' ? given : JSON.stringify(given);
          // Longer ones make a line that no server reads.
          return `${one.name}=${encodeURIComponent(text.toWellFormed().slice(0, 2000))}`;
        }),
      ),
    );
  return fc.tuple(...pairs).map((all) => all.flat().slice(0, 4).join('&'));
};

const broken = ['', '{', '[1,', '"', 'NaN', '\u0000', '{"a":1}{"b":2}', '\ufeff{}', `${'['.repeat(50_000)}`];

/**
 * Requests to an operation that are made from its description, and then altered: wrong types, huge numbers, deep
 * nesting, half characters, zeros, names of prototypes, long texts, what is missing or too much, repeated parameters.
 * @param fill the values of the path's parameters
 */
export function hostileRequests(
  document: OpenApiDocument,
  { path, parameters, body }: HostileOperation,
  fill: (part: string) => string | undefined,
): fc.Arbitrary<HostileRequest> {
  const filled = (odd: string | null) =>
    path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent((odd ?? fill(part) ?? part).toWellFormed()));
  const paths = fc.oneof(
    { weight: 4, arbitrary: fc.constant(filled(null)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts).map((text) => filled(`x${text.slice(0, 2000)}`)) },
  );
  const values = body
    ? fc
        .tuple(fitting(document, body.schema), fc.array(fc.tuple(fc.nat(), hostile), { maxLength: 2 }))
        .map(([value, changes]) => changes.reduce((now, [at, what]) => mutated(now, at, what), value))
    : hostile;
  const bodies = fc.oneof(
    { weight: 9, arbitrary: values.map((value) => JSON.stringify(value) ?? 'null') },
    { weight: 1, arbitrary: fc.constantFrom(...broken) },
  );
  return fc.tuple(paths, searchOf(parameters, document), bodies).map(([where, search, text]) => ({
    path: search === '' ? where : `${where}?${search}`,
    type: body?.type ?? 'application/json',
    body: body ? text : null,
  }));
}
