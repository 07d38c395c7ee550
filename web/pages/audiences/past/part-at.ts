import type { Segment, SegmentCondition } from '#domain/api/segments.ts';

/** The part of a segment at a JSON pointer; null where there is none. */
export function conditionAt(segment: Segment, path: string): SegmentCondition | null {
  let part: unknown = segment;
  for (const name of path.split('/').slice(1)) part = (part as Record<string, unknown> | undefined)?.[name];
  if (part === undefined || part === null) return null;
  const found = part as Segment;
  return 'all' in found || 'any' in found || 'not' in found ? null : found;
}
