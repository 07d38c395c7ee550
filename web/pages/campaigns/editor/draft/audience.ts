import type { Audience } from '#domain/api/audiences.ts';
import { writtenIds } from '#web/components/input/written-ids.ts';
import {
  newSegment,
  type SegmentDraft,
  segmentDraftOf,
  segmentOf,
} from '#web/pages/audiences/segment/segment-draft.ts';

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
}

/** A draft without a chosen audience is saved with an empty list. */
const nobody: Audience = { type: 'contacts', contactIds: [] };

export function newAudience(): DraftAudience {
  return {
    type: 'app_tags',
    pasted: '',
    audienceId: null,
    appTagIds: [],
    tagOperator: 'AND',
    excludeTagIds: [],
    segment: newSegment(),
  };
}

/** Ids from pasted text, in order, without duplicates. */
export const idsOf = (pasted: string): string[] => [...new Set(writtenIds(pasted))];

/** Whether an audience is empty by definition. */
export function isNobody(audience: Audience): boolean {
  return audience.type === 'contacts' && audience.contactIds?.length === 0;
}

/** A stored audience as the editor shows it. */
export function draftAudienceOf(audience: Audience): DraftAudience {
  if (audience.type === 'app_tags') {
    const { appTagIds, tagOperator, excludeTagIds = [] } = audience;
    return {
      ...newAudience(),
      type: 'app_tags',
      appTagIds: [...appTagIds],
      tagOperator,
      excludeTagIds: [...excludeTagIds],
    };
  }
  if (audience.type === 'segment')
    return { ...newAudience(), type: 'segment', segment: segmentDraftOf(audience.segment) };
  if (audience.type !== 'contacts' || isNobody(audience)) return newAudience();
  const { contactIds = [], audienceId = null } = audience;
  return { ...newAudience(), type: 'contacts', pasted: contactIds.join('\n'), audienceId };
}

/** The audience as the API expects it. */
export function audienceOf(draft: DraftAudience): Audience {
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
