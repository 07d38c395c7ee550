import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '#db/database.ts';
import { LIMITED_ROLE } from '#db/provision.ts';

/** The service numbers that somebody sees; null: all. */
export type ServiceNumbers = readonly string[] | null;

const viewers = new AsyncLocalStorage<{ serviceNumberIds: ServiceNumbers }>();

/** Does the work for somebody: what it reads by `forViewers` is what that person, or key, may see. */
export const asViewer = <T>(serviceNumberIds: ServiceNumbers, work: () => T): T =>
  viewers.run({ serviceNumberIds }, work);

/** A connection of the driver, as knex lends it. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<unknown>;
  /** Ends it, which the pool notices. */
  end(): Promise<void>;
}

interface Lender {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
}

const BECOME_LIMITED = `select set_config('outreach.service_numbers', $1, false), set_config('role', ${LIMITED_ROLE}, false)`;

/** Nobody gets a connection whose rights are not known. */
async function orEnded(connection: Connection, statement: Promise<unknown>): Promise<void> {
  await statement.catch(async (error: unknown) => {
    await connection.end();
    throw error;
  });
}

/**
 * The same pool for those who call: whatever is asked for by it sees the rows that the caller of `asViewer` may see, since
 * PostgreSQL leaves out the others (migrations/outreach/0024_rights_by_service_number.sql). For somebody without a list it
 * costs nothing; for others, two short statements for each statement or transaction.
 * @throws Error outside of `asViewer`, so that nothing is read by accident as somebody who sees everything.
 */
export function forViewers(database: Database): Database {
  const lender = database.client as Lender;
  const limited = new WeakSet<Connection>();
  const lending: Lender = {
    async acquireConnection() {
      const viewer = viewers.getStore();
      if (!viewer) throw new Error('nobody is known who reads');
      const connection = await lender.acquireConnection();
      if (viewer.serviceNumberIds === null) return connection;
      limited.add(connection);
      try {
        await orEnded(connection, connection.query(BECOME_LIMITED, [viewer.serviceNumberIds]));
      } catch (error) {
        await lender.releaseConnection(connection);
        throw error;
      }
      return connection;
    },
    async releaseConnection(connection) {
      // Whoever had it is answered; a connection that is lost here is replaced.
      if (limited.delete(connection)) await orEnded(connection, connection.query('reset role')).catch(() => undefined);
      await lender.releaseConnection(connection);
    },
  };
  const own = database.withUserParams({});
  // Inherits everything else, listeners included.
  own.client = Object.assign(Object.create(lender) as Lender, lending);
  return own;
}
