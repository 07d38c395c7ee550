import type { BffDatabase } from '#db/bff/database.ts';
import type { Session } from '#db/bff/models.ts';
import { endLoggedOut, type EndedSession, type LoggedOut } from '#commands/bff/end-logged-out.ts';
import { endSession, leaveSession, platformTokensOf } from '#db/bff/sessions.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { OidcClient } from '../oidc.ts';

/** The ends of sessions. Each process ends the event streams of those when it hears of it (`db/bff/end-notices.ts`). */
export interface SessionEnds {
  end(session: Session): Promise<void>;
  /** As `end`, at the wish of a browser, which is then sent to the identity service with the platform token. */
  leave(session: Session): Promise<void>;
  /** Ends the sessions that the identity service has ended. @returns whose; null if it has said so before. */
  loggedOut(given: LoggedOut): Promise<EndedSession[] | null>;
}

export interface SessionEndsDeps {
  database: BffDatabase;
  oidc: Pick<OidcClient, 'revoke'>;
  logger: Logger;
}

export function createSessionEnds({ database, oidc, logger }: SessionEndsDeps): SessionEnds {
  /** The session has ended in any case: without us the token is of no use to anybody who does not know it. */
  async function revokeTokenOf(session: Session): Promise<void> {
    const refreshToken = platformTokensOf(database, session)?.refreshToken ?? null;
    if (refreshToken === null) return;
    await oidc.revoke(refreshToken).catch((error: unknown) => {
      logger.warn({ err: error }, 'the refresh token of a session that ended was not revoked');
    });
  }

  return {
    async end(session) {
      await endSession(database, session);
      await revokeTokenOf(session);
    },
    async leave(session) {
      await leaveSession(database, session.tokenHash);
      await revokeTokenOf(session);
    },
    loggedOut: (given) => endLoggedOut(database, given),
  };
}
