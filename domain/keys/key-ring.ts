import { z } from 'zod';

/** A key of AES-256-GCM. */
export interface RingKey {
  /** What each sealed text names its key by; null for a key that was given without one, as the only key. */
  id: string | null;
  /** 32 bytes in base64. */
  key: string;
}

/** The first key seals, all of them open. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32;

/** 32 bytes in base64. */
export const keySchema = z.string().refine(isKey, 'must be 32 bytes in base64');

const entry = /^(?<id>[A-Za-z0-9_-]{1,32}):(?<key>[^:]+)$/;

function parseEntry(text: string): RingKey | null {
  const { id, key } = entry.exec(text.trim())?.groups ?? {};
  return id !== undefined && key !== undefined && isKey(key) ? { id, key } : null;
}

/** `id:key,…`: ids of letters, digits, `-` and `_`, each with 32 bytes in base64. */
export const keyRingSchema = z.string().transform((text, context): KeyRing => {
  const keys = text.split(',').flatMap((part) => parseEntry(part) ?? []);
  const [first, ...others] = keys;
  if (first && keys.length === text.split(',').length && new Set(keys.map(({ id }) => id)).size === keys.length)
    return [first, ...others];
  context.addIssue({
    code: 'custom',
    message: 'must be id:key, separated by commas, with 32 bytes in base64 and no id twice',
  });
  return z.NEVER;
});
