import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import { z } from 'zod';
import { platformId, text } from '#domain/api/primitives.ts';

/** The person that a platform token identifies. */
export interface PlatformIdentity {
  /** `sub`, the platformUserId. */
  userId: string;
  name: string;
  /** platformTenantId; empty if the token names none. */
  tenantId: string;
  roles: string[];
  /** The session of the identity service that it belongs to, if it names one. */
  sid: string | null;
  expiresAt: Date;
}

/**
 * The token is missing, malformed, expired, not yet valid, from another issuer, for another audience, or not signed
 * by a known key.
 */
export class InvalidToken extends Error {
  override name = 'InvalidToken';
}

/** What a kind of token has to be besides signed, from this issuer, for this audience and valid now. */
export interface TokenKind extends Pick<JWTVerifyOptions, 'clockTolerance' | 'maxTokenAge'> {
  requiredClaims: string[];
  /** What `typ` must say, if it says anything. */
  mayBe: (typ: string) => boolean;
}

/** @throws InvalidToken; any other error if the keys cannot be fetched. */
export type ReadToken = (token: string, kind: TokenKind) => Promise<JWTPayload>;

export type VerifyPlatformToken = (token: string) => Promise<PlatformIdentity>;

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });
const MAXIMUM_NAME = 200;

const role = text(256);

/** What could not be stored is not read: one token must not fail what is stored together with others. */
const claimsSchema = z.object({
  sub: platformId,
  name: z
    .string()
    .catch('')
    .transform((name) => name.replaceAll('\u0000', '').slice(0, MAXIMUM_NAME).toWellFormed()),
  tenantId: platformId.catch(''),
  roles: z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => role.safeParse(one).data ?? [])),
  sid: z.string().min(1).nullable().catch(null),
  exp: z.number(),
});

const DISCOVERY_TIMEOUT_MS = 5000;

/**
 * An unknown key id, or a signature that does not match, triggers a new fetch of the keys, at most this often: a
 * rotated key is known soon, and a forged token costs little.
 */
const KEY_COOLDOWN_MS = 1000;

const ALGORITHMS = ['RS256', 'ES256'];

type KeySet = ReturnType<typeof createRemoteJWKSet>;

async function discover(issuer: string): Promise<KeySet> {
  const response = await fetch(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the identity service responded to discovery with ${response.status}`);
  const discovered = discoverySchema.parse(await response.json());
  if (discovered.issuer !== issuer) throw new Error('the identity service names another issuer in its discovery');
  return createRemoteJWKSet(new URL(discovered.jwks_uri), { cooldownDuration: KEY_COOLDOWN_MS });
}

/** @throws Error if the identity service does not respond to discovery as it should. */
export const pingIssuer = async (issuer: string): Promise<void> => void (await discover(issuer));

/** Whether jose reports a fault of the token itself; other errors are about fetching the keys. */
function isTokensFault(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // A failed fetch of the key set is reported as the base class itself.
  return error instanceof errors.JOSEError && error.constructor !== errors.JOSEError;
}

function identityOf(payload: JWTPayload): PlatformIdentity {
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success) throw new InvalidToken('the token lacks exp, or a sub that can be an id');
  const { sub, name, tenantId, roles, sid, exp } = claims.data;
  return { userId: sub, name, tenantId, roles, sid, expiresAt: new Date(exp * 1000) };
}

/**
 * An issuer may replace a key under the same id, so a signature that does not match is checked again with fresh keys.
 */
async function payloadOf(token: string, keys: KeySet, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || keys.coolingDown) throw error;
    const fresh = await keys.reload().then(
      () => true,
      // If the issuer is unavailable, the known keys decide.
      () => false,
    );
    if (!fresh) throw error;
    return (await jwtVerify(token, keys, options)).payload;
  }
}

/**
 * Rejects what can be rejected without keys, so that garbage gets the same response while the identity service is
 * unavailable.
 */
function rejectMalformed(token: string, mayBe: TokenKind['mayBe']): void {
  let header: ReturnType<typeof decodeProtectedHeader>;
  try {
    header = decodeProtectedHeader(token);
  } catch (error) {
    throw new InvalidToken('the token is malformed', { cause: error });
  }
  const { alg = '', typ } = header;
  if (!ALGORITHMS.includes(alg)) throw new InvalidToken('the token is signed with another algorithm');
  if (typ !== undefined && !mayBe(typ.toLowerCase())) throw new InvalidToken('the token is of another kind');
}

/**
 * Reads tokens: RS256 or ES256, from this issuer, for this audience, valid now. The keys are fetched with the first
 * token, so a service can start while the identity service is unavailable, and recovers with it.
 */
export function createTokenReader({ issuer, audience }: { issuer: string; audience: string }): ReadToken {
  let keys: ReturnType<typeof discover> | undefined;
  let discovering = false;
  /** The keys may have moved, or discovery named a wrong address: those that are known are used until it names others. */
  async function discoverAgain(): Promise<void> {
    if (discovering) return;
    discovering = true;
    const found = discover(issuer);
    await found.then(() => (keys = found)).catch(() => undefined);
    discovering = false;
  }
  const currentKeys = () => {
    keys ??= discover(issuer).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  return async (token, { mayBe, ...required }) => {
    rejectMalformed(token, mayBe);
    const keySet = await currentKeys();
    try {
      return await payloadOf(token, keySet, { issuer, audience, algorithms: ALGORITHMS, ...required });
    } catch (error) {
      if (isTokensFault(error)) throw new InvalidToken('the token is not valid', { cause: error });
      void discoverAgain();
      throw error;
    }
  };
}

/** Verifies platform tokens, which have exp and sub. */
export function platformTokensBy(read: ReadToken): VerifyPlatformToken {
  return async (token) => {
    const payload = await read(token, { requiredClaims: ['exp', 'sub'], mayBe: (typ) => typ !== 'logout+jwt' });
    return identityOf(payload);
  };
}

/** As `platformTokensBy`, for a service that reads no other tokens. */
export const createPlatformTokenVerifier = (options: { issuer: string; audience: string }): VerifyPlatformToken =>
  platformTokensBy(createTokenReader(options));

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9\-_=.~+/]+)$/i.exec(header ?? '')?.[1] ?? null;
}
