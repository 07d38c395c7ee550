import type { Database, Transaction } from '../database.ts';

/** The connection was lost while COMMIT was on its way: what was written may be there or not, and has to be asked for. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';
}

/** Classes of errors by which PostgreSQL itself says that it did not commit: constraints, serialization, aborted. */
const REFUSED_COMMIT = /^(23|25|40)/;

/**
 * Runs `work` in one transaction.
 * @throws CommitUnknown where only the outcome of COMMIT is unknown; any other error means that nothing was written.
 */
export async function transact<T>(database: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const trx = await database.transaction();
  let result: T;
  try {
    result = await work(trx);
  } catch (error) {
    // A rollback fails only with the connection, which rolls back by itself; the first error is the one that matters.
    await trx.rollback().catch(() => undefined);
    throw error;
  }
  try {
    await trx.commit();
  } catch (error) {
    if (REFUSED_COMMIT.test(String((error as { code?: unknown }).code))) throw error;
    throw new CommitUnknown('the outcome of a commit is unknown', { cause: error });
  }
  return result;
}
