import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Secrets } from '#domain/keys/secrets.ts';
import type { IntegrationSecrets } from '#db/bff/integrations.ts';
import { Problem } from '#domain/api/problem.ts';
import { APP_SIGNATURE_HEADER, NONCE, NONCE_HEADER, parseAuthorization, signatureMatches } from '#domain/signature.ts';

/** A call of the inbound protocol as received; nothing in it has been verified yet. */
export interface SignedCall {
  tenantIntegrationId: string;
  nonce: string;
  signature: string;
  /** On lifecycle calls; empty otherwise. */
  appSignature: string;
  /** Its headers, which say in which coding the body is. */
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The response does not tell what is wrong with a signature. */
export function notSigned(): Problem {
  return new Problem('unauthorized', 'The call is not signed by a known integration');
}

/** What a call says of itself before its body is read. */
export type Claim = Omit<SignedCall, 'body'>;

const NONCE_NAME = NONCE_HEADER.toLowerCase();
const APP_SIGNATURE_NAME = APP_SIGNATURE_HEADER.toLowerCase();

/** @throws Problem `unauthorized` for missing or malformed headers. */
export function readClaim({ headers }: Pick<IncomingMessage, 'headers'>): Claim {
  const parsed = parseAuthorization(headers.authorization);
  const nonce = String(headers[NONCE_NAME] ?? '');
  if (!parsed || !NONCE.test(nonce)) throw notSigned();
  return { ...parsed, nonce, appSignature: String(headers[APP_SIGNATURE_NAME] ?? ''), headers };
}

export const isSignedWith = (call: SignedCall, secret: string): boolean =>
  signatureMatches(secret, call, call.signature);

/** Checks the application's own signature over the same bytes (lifecycle calls). */
export function requireAppSignature(call: SignedCall, appSecrets: Secrets): void {
  if (!appSecrets.some((secret) => signatureMatches(secret, call, call.appSignature))) throw notSigned();
}

/** Which of its secrets an integration signed with; `late` is the replaced one after its grace period. */
export function signingSecret(
  call: SignedCall,
  secrets: IntegrationSecrets,
  now: Date,
): 'current' | 'replaced' | 'late' | undefined {
  if (isSignedWith(call, secrets.current)) return 'current';
  const { replaced } = secrets;
  if (!replaced || !isSignedWith(call, replaced.secret)) return undefined;
  return now < replaced.acceptedUntil ? 'replaced' : 'late';
}
