import { createHmac, randomBytes } from 'node:crypto';

/** The signatures of Standard Webhooks (standardwebhooks.com), version `v1`: HMAC-SHA256. */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * The headers that sign a body: id, time in seconds, and for each secret `v1,<base64 of HMAC-SHA256 over id.timestamp.body>`,
 * separated by spaces. There are two while a secret is being replaced: a receiver accepts what one of them verifies.
 */
export function signedHeaders(
  secrets: readonly string[],
  { eventId, body, at }: { eventId: string; body: string; at: Date },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
