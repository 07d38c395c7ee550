import { openBytes, sealBytes } from '../domain/keys/cipher.ts';
import type { KeyRing, RingKey } from '../domain/keys/key-ring.ts';

/**
 * Seals text for storage and opens it again. `context` says what the text belongs to and must be the same for both.
 */
export interface Encryption {
  /** Prefix of texts sealed with the current key; others have another key, or one without an id. */
  prefix: string;
  encrypt(plain: string, context: string): string;
  /** @throws Error if the text was altered, belongs to another context, or was sealed with a key that is not here. */
  decrypt(sealed: string, context: string): string;
}

interface OpeningKey {
  id: string | null;
  bytes: Buffer;
}

/** `v1.` without the id of a key, `v2.<id>.` with it; then base64url. */
const sealedText = /^(?:v1|v2\.(?<id>[A-Za-z0-9_-]{1,32}))\.(?<text>[A-Za-z0-9_-]+)$/;

function openingKey({ id, key }: RingKey): OpeningKey {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new Error('The encryption key must be 32 bytes in base64');
  return { id, bytes };
}

/**
 * Those that may have sealed a text: with an id, that one, or the one whose id is not known here: it gets one in a
 * process that was started with ENCRYPTION_KEYS before this one.
 */
function candidates(keys: readonly OpeningKey[], id: string | undefined): readonly OpeningKey[] {
  if (id === undefined) return keys;
  const found = keys.filter((key) => key.id === id || key.id === null);
  if (found.length === 0) throw new Error(`Sealed with the key ${id}, which is not among ENCRYPTION_KEYS`);
  return found;
}

function openWithOne(keys: readonly OpeningKey[], sealed: Buffer, context: string): string {
  let failure: unknown;
  for (const { bytes } of keys) {
    try {
      return openBytes(bytes, sealed, context).toString('utf8');
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * AES-256-GCM with a random nonce; the first key of the ring seals, all of them open. The context is authenticated, so
 * a row's sealed text cannot be moved to another row. A text without the id of its key opens with whichever key fits.
 */
export function createEncryption(ring: KeyRing): Encryption {
  const keys = ring.map(openingKey);
  const [{ id: currentId, key: currentKey }] = ring;
  const current = Buffer.from(currentKey, 'base64');
  const prefix = currentId === null ? 'v1.' : `v2.${currentId}.`;
  return {
    prefix,
    encrypt: (plain, context) => `${prefix}${sealBytes(current, Buffer.from(plain), context).toString('base64url')}`,
    decrypt(sealed, context) {
      const found = sealedText.exec(sealed)?.groups;
      if (!found) throw new Error('Not a sealed text');
      return openWithOne(candidates(keys, found['id']), Buffer.from(found['text'] ?? '', 'base64url'), context);
    },
  };
}
