import type { Database, Transaction } from '#db/database.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';

/** Whether the change was made, or had been made before. */
export type Change = 'done' | 'unchanged';

export const changed = (id: string, outcome: Change): BatchResult => ({ id, outcome, code: null, detail: null });

export const refused = (id: string, { code, message }: Problem): BatchResult => ({
  id,
  outcome: 'refused',
  code,
  detail: message,
});

/**
 * Makes the same change to each of these in one transaction. What throws a Problem is refused and stays as it was, for
 * which `change` needs a savepoint of its own if it writes before it throws.
 * @returns the result of each id once, in the order given.
 */
export async function changeEach(
  database: Database,
  given: readonly string[],
  change: (transaction: Transaction, id: string) => Promise<Change>,
): Promise<BatchResult[]> {
  const ids = [...new Set(given)];
  const results = new Map<string, BatchResult>();
  await database.transaction(async (transaction) => {
    // In the order in which everybody locks rows: two batches never wait for each other.
    for (const id of ids.toSorted()) {
      results.set(id, await resultOf(id, change(transaction, id)));
    }
  });
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function resultOf(id: string, change: Promise<Change>): Promise<BatchResult> {
  try {
    return changed(id, await change);
  } catch (error) {
    if (error instanceof Problem) return refused(id, error);
    throw error;
  }
}
