import { createHash } from 'node:crypto';

/** The same value with sorted keys and without nulls, which count as missing. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(
    fields.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, canonical(field)]),
  );
}

/** What a parsed request says, as a hash: however its JSON was written, and whatever unknown keys it had. */
export function requestHash(parsed: object): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(parsed)))
    .digest('hex');
}
