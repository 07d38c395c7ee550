import type { Database, Transaction } from '../database.ts';

/** The connection was lost during COMMIT: what was written may or may not be there, and has to be read back. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';
}

/** Error classes with which PostgreSQL reports that it did not commit: constraints, serialization, aborted. */
const NOT_COMMITTED = /^(23|25|40)/;

/**
 * Runs `work` in one transaction.
 * @throws CommitUnknown if only the outcome of COMMIT is unknown; any other error means that nothing was written.
 */
export async function transact<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let committing = false;
  try {
    return await database.transaction(async (transaction) => {
      const result = await work(transaction);
      committing = true;
      return result;
    });
  } catch (error) {
    const rolledBack = NOT_COMMITTED.test(String((error as { code?: unknown }).code));
    if (!committing || rolledBack) throw error;
    throw new CommitUnknown('the outcome of a commit is unknown', { cause: error });
  }
}

/**
 * Waits until no other transaction holds this name, and holds it until the end of this one: for what may not have a row
 * to lock yet.
 */
export async function lockName(transaction: Transaction, name: readonly string[]): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(hashtextextended(:name, 0))', { name: JSON.stringify(name) });
}
