import { Problem } from '#domain/api/problem.ts';

/** A proxy that compresses a response makes its tag a weak one. */
const asStrong = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Whether a request may act on an object with this entity tag, null where it does not exist: `If-Match` is `*`, or a list of tags,
 * of which a weak one counts as the strong one; without it, any may.
 */
export function isMatched(header: string | undefined, etag: string | null): boolean {
  if (header === undefined) return true;
  const tags = new Set(header.split(',').map(asStrong));
  return etag !== null && (tags.has('*') || tags.has(etag));
}

/** @throws Problem `stale` if a request may not act on an object with this entity tag. */
export function assertMatched(header: string | undefined, etag: string | null): void {
  if (!isMatched(header, etag)) throw new Problem('stale', 'Somebody has changed it since you read it');
}
