import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AnyApiOperation } from '#domain/api/operation.ts';
import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldIn(schema: z.ZodType | undefined, name: string): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional) return fieldIn(schema.unwrap() as z.ZodType, name);
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, name)) return undefined;
  return (schema.shape as Record<string, z.ZodType>)[name];
}

const takes = (schema: z.ZodType | undefined, value: unknown): boolean => schema?.safeParse(value).success === true;

/** The body without optional fields that are null and cannot be: null means missing. */
export function withoutNulls({ body, response, method, clears = [] }: AnyApiOperation, given: unknown): unknown {
  if (!isFields(given)) return given;
  const isMissing = (name: string): boolean => {
    // At PATCH, null clears what can be shown as null.
    if (method === 'patch') return !clears.includes(name) && !takes(fieldIn(response, name), null);
    const field = fieldIn(body, name);
    return takes(field, undefined) && !takes(field, null);
  };
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || !isMissing(name)));
}

type Path = readonly PropertyKey[];

/** Where a schema refused something, in every alternative that it has. */
const refusedAt = (issues: readonly z.core.$ZodIssue[], above: Path = []): Path[] =>
  issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    return issue.code === 'invalid_union' ? issue.errors.flatMap((each) => refusedAt(each, path)) : [path];
  });

const memberAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<PropertyKey, unknown> | null | undefined)?.[name], value);

/** Whether it is a field within the body's own fields, and null. */
const isInnerNull = (value: unknown, path: Path): boolean =>
  path.length > 1 && typeof path.at(-1) === 'string' && memberAt(value, path) === null;

/** The same without some fields. What is beside their paths is not copied: it may be nested deeper than a clone can follow. */
function without(value: unknown, paths: readonly Path[]): unknown {
  const below = new Map<PropertyKey, Path[]>();
  for (const [name, ...rest] of paths) if (name !== undefined) below.set(name, [...(below.get(name) ?? []), rest]);
  const inner = (name: PropertyKey, part: unknown) => without(part, below.get(name) ?? []);
  if (below.size === 0) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => inner(index, item));
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !below.get(name)?.some((rest) => rest.length === 0));
  return Object.fromEntries(kept.map(([name, part]) => [name, inner(name, part)]));
}

/** Parses a body; a field within its fields that is null and cannot be is missing, as the fields themselves are. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const result = schema.safeParse(value);
  if (result.success) return result;
  const nulls = refusedAt(result.error.issues).filter((path) => isInnerNull(value, path));
  if (nulls.length === 0) return result;
  return parseBody(schema, without(value, nulls));
}

/**
 * What of a PATCH's body changes the object: a field that is sent as it is counts as not sent.
 * @param current what GET answers
 * @returns null if nothing does
 * @throws Problem `invalid_content` naming fields that differ and can never change
 */
export function changesIn(
  { body, readOnly = [], excluding = [] }: AnyApiOperation,
  given: unknown,
  current: unknown,
): unknown {
  const shown: unknown = JSON.parse(JSON.stringify(current));
  if (!isFields(given) || !isFields(shown) || !Object.keys(given).some((name) => name in shown)) return given;
  const changed = Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, shown[name]));
  const errors: FieldError[] = changed.flatMap(([name]) =>
    readOnly.includes(name) ? [invalidField(`/${name}`, 'unchangeable')] : [],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'Some of these fields cannot be changed', { errors });
  // What the service itself moves is shown, and not written.
  const written = changed.filter(([name]) => fieldIn(body, name) !== undefined);
  if (written.length === 0) return null;
  const chosen = written.some(([name, value]) => excluding.includes(name) && value !== null);
  const beside = chosen
    ? Object.entries(given).filter(([name, value]) => excluding.includes(name) && value !== null)
    : [];
  return Object.fromEntries([...beside, ...written]);
}
