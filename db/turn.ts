import { type Database, firstRow } from './database.ts';

/** A turn that hangs for longer than this is passed on. */
const LONGEST_TURN = '60s';

/**
 * Does the work unless another process is doing work of this name in this database. The turn is a lock of a transaction
 * that reads nothing: it ends with its process or its connection, and holds up no vacuum.
 * @returns false if it was another's turn.
 */
export async function inTurn(database: Database, name: string, work: () => Promise<unknown>): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.raw(`set local idle_in_transaction_session_timeout = '${LONGEST_TURN}'`);
    const lock = await firstRow<{ granted: boolean }>(
      transaction,
      `select pg_try_advisory_xact_lock(hashtextextended('turn ' || :name, 0)) as granted`,
      { name },
    );
    if (lock?.granted) await work();
    return lock?.granted === true;
  });
}
