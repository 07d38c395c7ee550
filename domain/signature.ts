import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A tenantIntegrationId is 1 to 64 of these characters, so that `id:signature` can be split in only one way. */
export const TENANT_INTEGRATION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Exactly 32 lowercase hex characters: the fixed length prevents shifting characters between nonce and body. */
export const NONCE = /^[0-9a-f]{32}$/;

export const NONCE_HEADER = 'X-Platform-Nonce';
export const APP_SIGNATURE_HEADER = 'X-Platform-App-Signature';

export interface SignedParts {
  tenantIntegrationId: string;
  nonce: string;
  /** The raw body; empty for requests without one. */
  body: Buffer | string;
}

export function createNonce(): string {
  return randomBytes(16).toString('hex');
}

/** Base64(HMAC-SHA256(secret, tenantIntegrationId + nonce + body)); S0, Authentication 2. */
export function sign(secret: string, { tenantIntegrationId, nonce, body }: SignedParts): string {
  return createHmac('sha256', secret).update(tenantIntegrationId).update(nonce).update(body).digest('base64');
}

/** The value of the `Authorization` header: `PLATFORM <tenantIntegrationId>:<signature>`. */
export function authorize(secret: string, parts: SignedParts): string {
  return `PLATFORM ${parts.tenantIntegrationId}:${sign(secret, parts)}`;
}

/** Splits an `Authorization` header of this protocol; null if it is missing or malformed. */
export function parseAuthorization(
  header: string | undefined,
): { tenantIntegrationId: string; signature: string } | null {
  const match = /^PLATFORM ([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(header ?? '');
  return match?.[1] && match[2] ? { tenantIntegrationId: match[1], signature: match[2] } : null;
}

/** Compares in constant time, so that the response time reveals nothing about the expected signature. */
export function signatureMatches(secret: string, parts: SignedParts, signature: string): boolean {
  const expected = Buffer.from(sign(secret, parts));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Whether `authorization` is the header that `secret` gives for this nonce and body, both well-formed. */
export function verify(
  secret: string,
  nonce: string,
  body: Buffer | string,
  authorization: string | undefined,
): boolean {
  const parsed = parseAuthorization(authorization);
  if (!parsed || !NONCE.test(nonce)) return false;
  return signatureMatches(secret, { tenantIntegrationId: parsed.tenantIntegrationId, nonce, body }, parsed.signature);
}
