import type { BffDatabase } from '../../../db/bff/database.ts';
import {
  claimRenewal,
  endRenewal,
  type PlatformTokens,
  platformTokensOf,
  type Renewed,
} from '../../../db/bff/sessions.ts';
import type { Session } from '../../../db/bff/models.ts';
import { Problem } from '../../../domain/api/problem.ts';
import type { VerifyPlatformToken } from '../../http/platform-token.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { OidcClient } from './oidc.ts';
import { verified } from './verified.ts';

export interface PlatformTokensDeps {
  database: BffDatabase;
  verifyToken: VerifyPlatformToken;
  oidc: OidcClient;
  logger: Logger;
}

/** A token is renewed this long before it expires, since the call it is sent with takes time. */
const MARGIN_MS = 30_000;

const signInAgain = (cause?: unknown) => new Problem('unauthorized', 'Sign in again to do this', { cause });
const tryAgain = (cause?: unknown) =>
  new Problem('unavailable', 'The sign-in is being renewed; try again', { retryAfterSeconds: 1, cause });

const left = ({ expiresAt }: PlatformTokens): number => expiresAt.getTime() - Date.now();

/** The platform tokens of cookie sessions, kept valid with the identity service's refresh tokens. */
export function createPlatformTokens({ database, verifyToken, oidc, logger }: PlatformTokensDeps) {
  /** Requests in this process that arrive while a session is being renewed wait for the same result. */
  const underWay = new Map<string, Promise<string>>();

  /** @throws Problem if the identity service rejects the token, is unavailable, or names a different person. */
  async function ask(session: Session, refreshToken: string): Promise<Renewed> {
    const { idToken, refreshToken: next } = await oidc.renew(refreshToken);
    const identity = await verified(verifyToken, idToken);
    if (identity.userId !== session.userId || identity.tenantId !== session.platformTenantId) throw signInAgain();
    const tokens = { token: idToken, expiresAt: identity.expiresAt, refreshToken: next };
    return { tokens, name: identity.name, roles: identity.roles };
  }

  async function renew(seen: PlatformTokens, tokenHash: Buffer): Promise<string> {
    const session = await claimRenewal(database, tokenHash);
    const tokens = session && platformTokensOf(database, session);
    if (!session || !tokens) {
      if (left(seen) > 0) return seen.token;
      throw tryAgain();
    }
    let outcome: Parameters<typeof endRenewal>[2] = 'as it was';
    try {
      // Another process may have renewed it after this one read it.
      if (left(tokens) > MARGIN_MS) return tokens.token;
      if (tokens.refreshToken === null) throw signInAgain();
      outcome = await ask(session, tokens.refreshToken);
      return outcome.tokens.token;
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') outcome = 'refused';
      logger.info({ err: error }, 'a platform token was not renewed');
      if (left(tokens) > 0) return tokens.token;
      throw error;
    } finally {
      await endRenewal(database, tokenHash, outcome);
    }
  }

  return {
    /**
     * The session's platform token, renewed if it is about to expire.
     * @throws Problem `unauthorized` if it cannot be renewed, so that the browser is sent to sign in again (without a
     * prompt if the identity service still has a session); `unavailable` if the identity service cannot be reached.
     */
    async tokenOf(session: Session): Promise<string> {
      const tokens = platformTokensOf(database, session);
      if (!tokens) throw signInAgain();
      if (left(tokens) > MARGIN_MS) return tokens.token;
      if (tokens.refreshToken === null) {
        if (left(tokens) > 0) return tokens.token;
        throw signInAgain();
      }
      const key = session.tokenHash.toString('hex');
      const running = underWay.get(key) ?? renew(tokens, session.tokenHash).finally(() => void underWay.delete(key));
      underWay.set(key, running);
      return running;
    },
  };
}
