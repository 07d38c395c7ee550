import type { BffDatabase } from '../../../db/bff/database.ts';
import type { Session } from '../../../db/bff/models.ts';
import { endSession } from '../../../db/bff/sessions.ts';
import type { Streams } from '../streams.ts';

export interface SessionEnds {
  /** Ends a session with its event streams. */
  end(session: Session): Promise<void>;
}

export function createSessionEnds({
  database,
  streams,
}: {
  database: BffDatabase;
  streams: Pick<Streams, 'endSession'>;
}): SessionEnds {
  return {
    async end({ tokenHash }) {
      await endSession(database, tokenHash);
      streams.endSession(tokenHash);
    },
  };
}
