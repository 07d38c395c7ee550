import type { BffDatabase } from '#db/bff/database.ts';
import { Session } from '#db/bff/models.ts';
import { ended } from '#db/bff/sessions.ts';
import { rows } from '#db/database.ts';

/** What the identity service ended: one of its sessions, or all of a person. */
export interface LoggedOut {
  userId: string | null;
  sid: string | null;
  /** Identifies the logout token. */
  tokenHash: Buffer;
  keptUntil: Date;
}

export type EndedSession = Pick<Session, 'tokenHash' | 'platformTenantId' | 'userId'>;

/**
 * Ends the sessions in all tenants that began with a session of the identity service, or, if it names none, all of the
 * person. @returns which, with whose they were; null if the message was used before.
 */
export async function endLoggedOut({ connection }: BffDatabase, given: LoggedOut): Promise<EndedSession[] | null> {
  const { userId, sid, tokenHash, keptUntil } = given;
  return connection.transaction(async (transaction) => {
    const isNew = await rows(
      transaction,
      'insert into logout_token (token_hash, kept_until) values (:tokenHash, :keptUntil) on conflict do nothing returning 1',
      { tokenHash, keptUntil },
    );
    if (isNew.length === 0) return null;
    return Session.query(transaction)
      .whereNull('endedAt')
      .where({ ...(userId !== null && { userId }), ...(sid !== null && { sid }) })
      .patch(ended)
      .returning(['tokenHash', 'platformTenantId', 'userId']);
  });
}
