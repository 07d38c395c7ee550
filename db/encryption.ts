import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Seals text for storage and opens it again. `context` says what the text belongs to and must be the same for both.
 */
export interface Encryption {
  encrypt(plain: string, context: string): string;
  /** @throws Error if the text was altered, belongs to another context, or was sealed with another key. */
  decrypt(sealed: string, context: string): string;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a random nonce; `v1.<base64url of nonce, ciphertext, tag>`. The context is authenticated, so a
 * row's sealed text cannot be moved to another row.
 * @param key 32 bytes in base64 (ENCRYPTION_KEY).
 */
export function createEncryption(key: string): Encryption {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new Error('The encryption key must be 32 bytes in base64');
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    decrypt(sealed, context) {
      const [version, text] = sealed.split('.');
      const raw = Buffer.from(text ?? '', 'base64url');
      if (version !== VERSION || raw.length < NONCE_BYTES + TAG_BYTES) throw new Error('Not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', bytes, raw.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(raw.subarray(raw.length - TAG_BYTES));
      const plain = decipher.update(raw.subarray(NONCE_BYTES, raw.length - TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    },
  };
}
