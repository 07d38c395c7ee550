import * as fc from 'fast-check';

/** Text that breaks careless code. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    "'; drop table tag; --",
    '%',
    '\\',
    '1e400',
    'x'.repeat(3000),
    '..',
    '%2e%2e',
    '"',
  ),
);

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  oddText,
  fc.constantFrom(null, -1, 1e308, 2 ** 53, [], {}, [[]], true, '2026-13-45T00:00:00Z', '275760-09-13T00:00:00Z'),
  fc.array(oddText, { maxLength: 5 }),
);

/** Nearly valid bodies get further than noise: a known good one with a few values replaced. */
function mutated(base: Record<string, unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.dictionary(fc.constantFrom(...Object.keys(base), 'x', '__proto__'), odd, { maxKeys: 3 }))
    .map(([changes]) => ({ ...base, ...changes }));
}

export interface OddRequest {
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** Sent as is instead of the body. */
  raw: string | null;
  headers: Record<string, string>;
}

/**
 * Whether a path still belongs to its operation: an empty segment, or dots, which any client resolves, would lead to
 * another operation.
 */
export const staysItsOperation = (path: string): boolean =>
  !/\/$|\/\//.test(path) && new URL(path, 'http://localhost').pathname === path;

/** Requests to one operation: valid ones, nearly valid ones, and noise. */
export function oddRequests(operation: {
  path: string;
  queryNames: readonly string[];
  /** Values for the path's parameters. */
  ids: Record<string, string>;
  /** A valid body; undefined if the operation takes none. */
  base: Record<string, unknown> | undefined;
}): fc.Arbitrary<OddRequest> {
  const { path, ids, base } = operation;
  return fc.record({
    path: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constant(path.replaceAll(/\{(\w+)\}/g, (_, part: string) => ids[part] ?? part)),
      },
      {
        weight: 1,
        arbitrary: oddText.map((text) => path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(text.toWellFormed()))),
      },
    ),
    query: fc.dictionary(fc.constantFrom(...operation.queryNames, 'x'), oddText, { maxKeys: 3 }),
    body: fc.oneof(
      { weight: 3, arbitrary: base ? mutated(base) : fc.constant(undefined) },
      { weight: 1, arbitrary: odd },
    ),
    raw: fc.option(
      fc.constantFrom('{', '[1,', '"', 'NaN', '\u0000', '{"a":1}{"b":2}', `${'['.repeat(5000)}${']'.repeat(5000)}`),
      { nil: null, freq: 8 },
    ),
    headers: fc.record(
      {
        'If-Match': fc.constantFrom('*', '"1"', 'W/"1"', '1', ',', '"'),
        'Idempotency-Key': fc.oneof(fc.uuid(), fc.constantFrom('k', 'x'.repeat(300), ' ')),
      },
      { requiredKeys: [] },
    ),
  });
}
