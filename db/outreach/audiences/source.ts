import type { Take } from '#domain/api/audiences.ts';
import { listsIn, type Segment } from '#domain/api/segments.ts';

/** A sample of whom it reaches; all of them without. */
interface Sampled {
  take?: Take | undefined;
}

/** An audience with checked references, ready for resolution. */
export type AudienceSource = (
  | { kind: 'ids'; contactIds: string[] }
  | { kind: 'list'; audienceId: string }
  | { kind: 'tags'; appTagIds: string[]; tagOperator: 'AND' | 'OR'; excludeTagIds: string[] }
  | { kind: 'segment'; segment: Segment }
) &
  Sampled;

/**
 * What defines an audience, to tell whether that changed; ids listed in the campaign itself are not repeated.
 */
export type AudienceDefinition = ({ kind: 'ids' } & Sampled) | Exclude<AudienceSource, { kind: 'ids' }>;

export function definitionOf(source: AudienceSource): AudienceDefinition {
  const { take } = source;
  if (source.kind === 'ids') return { kind: source.kind, take };
  if (source.kind === 'list') return { kind: source.kind, audienceId: source.audienceId, take };
  if (source.kind === 'segment') return { kind: source.kind, segment: source.segment, take };
  const sorted = (ids: string[]) => [...new Set(ids)].toSorted();
  return { ...source, appTagIds: sorted(source.appTagIds), excludeTagIds: sorted(source.excludeTagIds) };
}

/** The saved lists that an audience is made of. */
export function listsOf(source: AudienceDefinition): string[] {
  if (source.kind === 'list') return [source.audienceId];
  return source.kind === 'segment' ? listsIn(source.segment) : [];
}
