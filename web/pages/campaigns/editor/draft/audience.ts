import type { Audience, Take } from '#domain/api/audiences.ts';
import { writtenIds } from '#web/components/input/written-ids.ts';
import {
  newSegment,
  type SegmentDraft,
  segmentDraftOf,
  segmentOf,
} from '#web/pages/audiences/segment/segment-draft.ts';

/** A sample, as typed. */
export interface DraftTake {
  by: 'percent' | 'atMost';
  number: string;
}

export interface DraftAudience {
  type: 'contacts' | 'app_tags' | 'segment';
  /** Pasted ids, as typed. */
  pasted: string;
  /** A saved list instead of pasted ids. */
  audienceId: string | null;
  appTagIds: string[];
  tagOperator: 'AND' | 'OR';
  excludeTagIds: string[];
  segment: SegmentDraft;
  /** Null: all whom it reaches. */
  take: DraftTake | null;
}

/** A draft without a chosen audience is saved with an empty list. */
const nobody: Extract<Audience, { type: 'contacts' }> = { type: 'contacts', contactIds: [] };

export function newAudience(): DraftAudience {
  return {
    type: 'app_tags',
    pasted: '',
    audienceId: null,
    appTagIds: [],
    tagOperator: 'AND',
    excludeTagIds: [],
    segment: newSegment(),
    take: null,
  };
}

/** What the editor suggests. */
export const suggestedTake = (): DraftTake => ({ by: 'percent', number: '10' });

function draftTakeOf(take: Take | undefined): DraftTake | null {
  if (!take) return null;
  return 'percent' in take
    ? { by: 'percent', number: String(take.percent) }
    : { by: 'atMost', number: String(take.atMost) };
}

/** What is no number is for the schema to reject. */
function takeOf({ by, number }: DraftTake): Take {
  const typed = (/^\d+$/.test(number.trim()) ? Number(number) : number) as number;
  return by === 'percent' ? { percent: typed } : { atMost: typed };
}

/** Ids from pasted text, in order, without duplicates. */
export const idsOf = (pasted: string): string[] => [...new Set(writtenIds(pasted))];

/** Whether an audience is empty by definition. */
export function isNobody(audience: Audience): boolean {
  return audience.type === 'contacts' && audience.contactIds?.length === 0;
}

/** A stored audience as the editor shows it. */
export function draftAudienceOf(audience: Audience): DraftAudience {
  if (audience.type === 'ai_query') return newAudience();
  const fresh = { ...newAudience(), take: draftTakeOf(audience.take) };
  if (audience.type === 'app_tags') {
    const { appTagIds, tagOperator, excludeTagIds = [] } = audience;
    return {
      ...fresh,
      type: 'app_tags',
      appTagIds: [...appTagIds],
      tagOperator,
      excludeTagIds: [...excludeTagIds],
    };
  }
  if (audience.type === 'segment') return { ...fresh, type: 'segment', segment: segmentDraftOf(audience.segment) };
  if (isNobody(audience)) return fresh;
  const { contactIds = [], audienceId = null } = audience;
  return { ...fresh, type: 'contacts', pasted: contactIds.join('\n'), audienceId };
}

function wholeAudienceOf(draft: DraftAudience): Exclude<Audience, { type: 'ai_query' }> {
  if (draft.type === 'contacts') {
    if (draft.audienceId) return { type: 'contacts', audienceId: draft.audienceId };
    return { type: 'contacts', contactIds: idsOf(draft.pasted) };
  }
  if (draft.type === 'segment')
    return draft.segment.parts.length === 0 ? nobody : { type: 'segment', segment: segmentOf(draft.segment) };
  if (draft.appTagIds.length === 0) return nobody;
  const { appTagIds, tagOperator, excludeTagIds } = draft;
  const tags = { type: 'app_tags' as const, appTagIds: [...appTagIds], tagOperator };
  return excludeTagIds.length > 0 ? { ...tags, excludeTagIds: [...excludeTagIds] } : tags;
}

/** The audience as the API expects it. */
export const audienceOf = (draft: DraftAudience): Audience => ({
  ...wholeAudienceOf(draft),
  ...(draft.take && { take: takeOf(draft.take) }),
});
