/** One field in which two states of an object differ; a side is undefined where the field is absent. */
export interface Difference {
  /** E.g. `messages.0.title`; empty where the whole is one value. */
  path: string;
  before: string | undefined;
  after: string | undefined;
}

const isTree = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
/** Lists of plain values are compared as one value, lists of objects by position. */
const isList = (value: object): boolean => Array.isArray(value) && value.every((item) => !isTree(item));

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

function flatten(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (isTree(value) && !isList(value)) {
    for (const [name, member] of Object.entries(value)) flatten(member, path ? `${path}.${name}` : name, into);
  } else if (value !== null && value !== undefined) {
    into.set(path, shown(value));
  }
  return into;
}

/** Where two states differ, field by field, in the order of the fields; null and absent count as equal. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const was = flatten(before, '', new Map());
  const is = flatten(after, '', new Map());
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path) !== is.get(path))
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }));
}

/** The names of the fields that changed, each once, by the first part of their path. */
export function changedFields(differences: readonly Difference[]): string[] {
  return [...new Set(differences.map(({ path }) => path.split('.')[0] ?? path))].filter((name) => name !== '');
}
