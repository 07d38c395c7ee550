import { callbackify } from 'node:util';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { takesNoWrites } from './errors.ts';

/** How long a session that only reads is used before another one is tried. */
const TRIED_AGAIN_AFTER_MS = 5000;

interface Session {
  openedAt: number;
  isReadOnly: boolean;
}

async function isReadOnly(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ on: boolean }>(
    `select current_setting('transaction_read_only')::boolean as on`,
  );
  return rows[0]?.on === true;
}

/**
 * Options of a pool that keeps no connection to a server that takes no writes: after a failover, its address may lead to
 * another server, and a session that began as read-only stays so when the database takes writes again. Until then it
 * can be read. Once one session turns out to be read-only, those that were opened before are replaced, too.
 */
export function untilReadOnly(): Pick<Knex.PoolConfig, 'afterCreate' | 'validate'> {
  const sessions = new WeakMap<Client, Session>();
  let foundReadOnlyAt = -Infinity;

  /** Ends the connection once the transaction in which a write was refused is over. */
  function refused(client: Client, session: Session): void {
    if (!session.isReadOnly) foundReadOnlyAt = performance.now();
    sessions.delete(client);
    client.connection.on('readyForQuery', ({ status }: { status: string }) => {
      if (status === 'I') void client.end();
    });
  }

  async function begin(client: Client): Promise<void> {
    const session = { openedAt: performance.now(), isReadOnly: await isReadOnly(client) };
    sessions.set(client, session);
    if (session.isReadOnly) foundReadOnlyAt = session.openedAt;
    client.connection.on('errorMessage', (error: unknown) => {
      if (takesNoWrites(error) && sessions.has(client)) refused(client, session);
    });
  }

  return {
    afterCreate: callbackify((client: Client) =>
      begin(client).catch((error: unknown) => {
        void client.end();
        throw error;
      }),
    ),
    validate(client: Client): boolean {
      const session = sessions.get(client);
      if (!session) return false;
      const { openedAt } = session;
      return session.isReadOnly ? performance.now() - openedAt < TRIED_AGAIN_AFTER_MS : openedAt > foundReadOnlyAt;
    },
  };
}
