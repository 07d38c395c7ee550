import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** `outreach_<id>_<secret>`: the id finds the key, and a scanner of repositories knows the text by its beginning. */

const KEY = /^outreach_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/;

const plain = (keyId: string): string => keyId.replaceAll('-', '');
const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What begins every text of a key. */
export const prefixOf = (keyId: string): string => `outreach_${plain(keyId)}_`;

/** A new key: its id, its whole text, and the hash under which its secret is stored. */
export function newKey(): { keyId: string; text: string; secretHash: Buffer } {
  const keyId = uuidv7();
  const secret = randomBytes(32).toString('base64url');
  return { keyId, text: `${prefixOf(keyId)}${secret}`, secretHash: hashOf(secret) };
}

export interface GivenKey {
  keyId: string;
  secretHash: Buffer;
}

/** Null if the text is no key, but perhaps a token. */
export function parseKey(text: string): GivenKey | null {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { keyId: dashed(id), secretHash: hashOf(secret) };
}

export const isSameSecret = (given: Buffer, stored: Buffer): boolean => timingSafeEqual(given, stored);
