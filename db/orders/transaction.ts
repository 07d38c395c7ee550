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
  let committing = false;
  try {
    return await database.transaction(async (trx) => {
      const result = await work(trx);
      committing = true;
      return result;
    });
  } catch (error) {
    const refused = REFUSED_COMMIT.test(String((error as { code?: unknown }).code));
    if (!committing || refused) throw error;
    throw new CommitUnknown('the outcome of a commit is unknown', { cause: error });
  }
}
