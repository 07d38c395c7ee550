import { createHmac, timingSafeEqual } from 'node:crypto';

/** A secret of Standard Webhooks: `whsec_` and the key in Base64. */
export const SECRET = /^whsec_[A-Za-z0-9+/]{4,}={0,2}$/;

/** A timestamp further from now than this is not accepted. */
const TOLERANCE_SECONDS = 300;

export interface SignedHeaders {
  'webhook-id': string | null;
  'webhook-timestamp': string | null;
  'webhook-signature': string | null;
}

const matches = (given: string, expected: Buffer): boolean => {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
};

/**
 * Whether one of the header's `v1,<base64>` is the HMAC-SHA256 of `<id>.<timestamp>.<body>` under the secret, and the
 * timestamp (unix seconds) is within 5 minutes of `now`.
 */
export function signatureIsValid(secret: string, headers: SignedHeaders, body: Buffer, now = Date.now()): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((one) => one.startsWith('v1,') && matches(one.slice('v1,'.length), expected));
}
