import { listsIn, type Segment } from '#domain/api/segments.ts';

/** An audience with checked references, ready for resolution. */
export type AudienceSource =
  | { kind: 'ids'; contactIds: string[] }
  | { kind: 'list'; audienceId: string }
  | { kind: 'tags'; appTagIds: string[]; tagOperator: 'AND' | 'OR'; excludeTagIds: string[] }
  | { kind: 'segment'; segment: Segment };

/**
 * What defines an audience, to tell whether that changed; ids listed in the campaign itself are not repeated.
 */
export type AudienceDefinition = { kind: 'ids' } | Exclude<AudienceSource, { kind: 'ids' }>;

export function definitionOf(source: AudienceSource): AudienceDefinition {
  if (source.kind === 'ids') return { kind: source.kind };
  if (source.kind === 'list') return { kind: source.kind, audienceId: source.audienceId };
  if (source.kind === 'segment') return { kind: source.kind, segment: source.segment };
  const sorted = (ids: string[]) => [...new Set(ids)].toSorted();
  return { ...source, appTagIds: sorted(source.appTagIds), excludeTagIds: sorted(source.excludeTagIds) };
}

/** The saved lists that an audience is made of. */
export function listsOf(source: AudienceDefinition): string[] {
  if (source.kind === 'list') return [source.audienceId];
  return source.kind === 'segment' ? listsIn(source.segment) : [];
}
