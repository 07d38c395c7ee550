import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';

export interface IdentityKeys {
  /** The private key in the provider's format. */
  jwk: JWK & { kid: string };
  privateKey: CryptoKey;
  cookieSecret: string;
}

interface Stored {
  jwk: JWK & { kid: string };
  cookieSecret: string;
}

async function create(): Promise<Stored> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  return {
    jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
    cookieSecret: randomBytes(32).toString('base64url'),
  };
}

/** The identity service's keys: created once, then read from the directory, so that tokens survive a restart. */
export async function loadKeys(directory: string): Promise<IdentityKeys> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'identity-keys.json');
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(await create()), { mode: 0o600 });
  const { jwk, cookieSecret } = JSON.parse(readFileSync(path, 'utf8')) as Stored;
  const privateKey = await importJWK(jwk, 'RS256');
  if (privateKey instanceof Uint8Array) throw new Error(`${path} contains no RSA key`);
  return { jwk, privateKey, cookieSecret };
}
