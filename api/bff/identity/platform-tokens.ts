import { setTimeout as pause } from 'node:timers/promises';
import type { BffDatabase } from '#db/bff/database.ts';
import {
  claimRenewal,
  endRenewal,
  findSession,
  type FoundSession,
  platformTokensOf,
  type Renewed,
} from '#db/bff/sessions.ts';
import type { Session } from '#db/bff/models.ts';
import { Problem } from '#domain/api/problem.ts';
import type { VerifyPlatformToken } from '#api/http/platform-token.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { SessionEnds } from './sign-out/session-ends.ts';
import type { OidcClient } from './oidc.ts';
import { unauthorized, verified } from './verified.ts';

export interface PlatformTokensDeps {
  database: BffDatabase;
  verifyToken: VerifyPlatformToken;
  oidc: OidcClient;
  ends: SessionEnds;
  logger: Logger;
}

/** A token is renewed this long before it expires, since the call it is sent with takes time. */
const MARGIN_MS = 30_000;

/** How long a request waits while another process renews the session: longer than the identity service may take. */
const WAIT_MS = 6000;
const LOOK_EVERY_MS = 100;

const signInAgain = (cause?: unknown) => new Problem('unauthorized', 'Sign in again to do this', { cause });
const tryAgain = (cause?: unknown) =>
  new Problem('unavailable', 'The sign-in is being renewed; try again', { retryAfterSeconds: 1, cause });

const left = ({ platformTokenExpiresAt }: Session): number => (platformTokenExpiresAt?.getTime() ?? 0) - Date.now();

/**
 * The platform tokens of cookie sessions, kept valid with the identity service's refresh tokens. They bring the
 * person's roles, so a session that cannot renew its token ends with it.
 */
export function createPlatformTokens({ database, verifyToken, oidc, ends, logger }: PlatformTokensDeps) {
  /** Requests in this process that arrive while a session is being renewed wait for the same result. */
  const underWay = new Map<string, Promise<FoundSession>>();

  async function read(tokenHash: Buffer): Promise<FoundSession> {
    const row = await findSession(database, tokenHash, 'cookie');
    if (!row) throw unauthorized();
    return row;
  }

  /** @throws Problem if the identity service rejects the token, is unavailable, or names a different person. */
  async function ask(session: Session): Promise<Renewed> {
    const refreshToken = platformTokensOf(database, session)?.refreshToken ?? null;
    if (refreshToken === null) throw signInAgain();
    const { idToken, refreshToken: next } = await oidc.renew(refreshToken);
    const identity = await verified(verifyToken, idToken);
    if (identity.userId !== session.userId || identity.tenantId !== session.platformTenantId) throw signInAgain();
    const tokens = { token: idToken, expiresAt: identity.expiresAt, refreshToken: next };
    return { tokens, name: identity.name, roles: identity.roles };
  }

  async function renewedElsewhere(seen: FoundSession): Promise<FoundSession> {
    const until = Date.now() + WAIT_MS;
    let row = await read(seen.tokenHash);
    while (left(row) <= 0) {
      if (row.renewingUntil === null || Date.now() > until) throw tryAgain();
      await pause(LOOK_EVERY_MS);
      row = await read(seen.tokenHash);
    }
    return row;
  }

  async function renew(seen: FoundSession): Promise<FoundSession> {
    const session = await claimRenewal(database, seen.tokenHash);
    if (!session) return renewedElsewhere(seen);
    let renewed: Renewed | null = null;
    try {
      // Another process may have renewed it after this one read it.
      if (left(session) <= MARGIN_MS) renewed = await ask(session);
    } catch (error) {
      logger.info({ err: error }, 'a platform token was not renewed');
      if (error instanceof Problem && error.code === 'unauthorized') {
        await ends.end(session);
        throw signInAgain(error);
      }
      // Its roles are the person's until it expires.
      if (left(session) <= 0) throw error;
    } finally {
      await endRenewal(database, seen.tokenHash, renewed);
    }
    return read(seen.tokenHash);
  }

  return {
    /**
     * The session with the person's current name and roles: its token is renewed if it is about to expire.
     * @throws Problem `unauthorized` if it cannot be renewed: the session has ended, and the browser is sent to sign in
     * again (without a prompt if the identity service still has a session); `unavailable` if the token has expired and
     * the identity service cannot be reached.
     */
    async current(session: FoundSession): Promise<FoundSession> {
      if (left(session) > (session.refreshTokenEncrypted === null ? 0 : MARGIN_MS)) return session;
      const key = session.tokenHash.toString('hex');
      const running = underWay.get(key) ?? renew(session).finally(() => void underWay.delete(key));
      underWay.set(key, running);
      return running;
    },
    /** The platform token of a current session. */
    tokenOf(session: Session): string {
      const tokens = platformTokensOf(database, session);
      if (!tokens) throw signInAgain();
      return tokens.token;
    },
  };
}
