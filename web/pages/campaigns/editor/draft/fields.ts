import type { Audience } from '../../../../../domain/api/audiences.ts';
import type { CampaignPatch } from '../../../../../domain/api/campaign.ts';
import { idsOf, type Draft, type DraftAudience } from './draft.ts';

/** The parts of a draft that are saved one by one. */
export const fieldNames = ['name', 'note', 'messages', 'audience', 'schedule', 'endsAt'] as const;
export type FieldName = (typeof fieldNames)[number];

/** Something to mend before sending: where, and a locale key under `editor.mend` that says what. */
export interface Mend {
  field: FieldName;
  /** Place within the draft, e.g. `messages/0/actions/1/url`. */
  at: string;
  key: 'blank' | 'tooLong' | 'tooMany' | 'tooFew' | 'address' | 'json' | 'moment' | 'invalid';
  max?: number;
}

export interface DraftFields {
  /** Values that may be saved as they are. */
  valid: CampaignPatch;
  mends: Mend[];
}

/** A draft for which nobody is chosen yet is saved with an empty list. */
const nobody: Audience = { type: 'contacts', contactIds: [] };

/** The audience as the API takes it. */
export function audienceOf(draft: DraftAudience): Audience {
  if (draft.type === 'contacts') {
    if (draft.audienceId) return { type: 'contacts', audienceId: draft.audienceId };
    return { type: 'contacts', contactIds: idsOf(draft.pasted) };
  }
  if (draft.appTagIds.length === 0) return nobody;
  const { appTagIds, tagOperator, excludeTagIds } = draft;
  const tags = { type: 'app_tags' as const, appTagIds: [...appTagIds], tagOperator };
  return excludeTagIds.length > 0 ? { ...tags, excludeTagIds: [...excludeTagIds] } : tags;
}

/** Whether an audience has nobody in it by its very form. */
export function isNobody(audience: Audience): boolean {
  return audience.type === 'contacts' && audience.contactIds?.length === 0;
}

const stripKeys = (name: string, value: unknown) => (name === 'key' ? undefined : value);

/** Each part as it stands in the editor, valid or not, for telling what was changed. */
export function rawOf(draft: Draft): Record<FieldName, string> {
  const { name, note, cards, audience, start, end } = draft;
  const parts = { name, note, messages: cards, audience, schedule: start, endsAt: end };
  return Object.fromEntries(
    Object.entries(parts).map(([field, value]) => [field, JSON.stringify(value, stripKeys)]),
  ) as Record<FieldName, string>;
}
