import { randomKey } from '#web/api/random-key.ts';
import { type Draft, draftFields, type FieldName, fieldNames } from './draft.ts';

/** What was written of a campaign and is not stored by the service yet, in the browser of who wrote it. */
export interface KeptDraft {
  /** The parts of these fields. */
  parts: Partial<Draft>;
  fields: FieldName[];
  /** Of the version that it changes; null for a campaign that is not stored at all. */
  etag: string | null;
  keptAt: string;
}

/** To be raised when `Draft` changes so that an earlier one could not be edited any more. */
const SHAPE = 1;
const LASTS_MS = 7 * 86_400_000;
const PREFIX = 'outreach.draft/';

/** Keys tell parts of a page apart: those that are made from now on must not meet one from an earlier page. */
const withNewKeys = (name: string, value: unknown) => (name === 'key' ? randomKey() : value);

const isKept = (value: unknown): value is KeptDraft & { shape: number } =>
  typeof value === 'object' &&
  value !== null &&
  'shape' in value &&
  value.shape === SHAPE &&
  'fields' in value &&
  Array.isArray(value.fields) &&
  'parts' in value;

function parsed(text: string | null): KeptDraft | null {
  if (text === null) return null;
  try {
    const found: unknown = JSON.parse(text, withNewKeys);
    if (!isKept(found) || Date.parse(found.keptAt) < Date.now() - LASTS_MS) return null;
    const fields = found.fields.filter((field) => fieldNames.includes(field) && draftFields[field].part in found.parts);
    return fields.length > 0 ? { ...found, fields } : null;
  } catch {
    return null;
  }
}

/** Those that may be kept: contacts that were pasted are not, since an erasure does not reach the browser. */
export const keepable = (draft: Pick<Draft, 'audience'>, names: readonly FieldName[]): FieldName[] =>
  names.filter((name) => name !== 'audience' || draft.audience.pasted.trim() === '');

/** Of somebody and of something: nobody sees what somebody else has written in this browser. */
export function keptDraft(storage: Storage, whose: string, of: string) {
  const key = `${PREFIX}${whose}/${of}`;
  return {
    key,
    read: (): KeptDraft | null => parsed(storage.getItem(key)),
    /** @throws where the browser has no room, or keeps nothing */
    keep: (kept: KeptDraft): void => storage.setItem(key, JSON.stringify({ ...kept, shape: SHAPE })),
    forget: (): void => storage.removeItem(key),
  };
}

/** Removes what nobody has come back to. */
export function forgetOldDrafts(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) if (key.startsWith(PREFIX) && parsed(storage.getItem(key)) === null) storage.removeItem(key);
}
