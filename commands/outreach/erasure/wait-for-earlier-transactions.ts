import { setTimeout } from 'node:timers/promises';
import { type Database, firstRow } from '#db/database.ts';
import { Problem } from '#domain/api/problem.ts';

const PAUSE_MS = 20;

/** Storing a million contacts is one transaction, of several long statements. The sweep takes over a minute later. */
const LONGEST_MS = 540_000;

/**
 * Resolves once every transaction that had written or locked anything when this was called has ended: whoever read the
 * rows before they changed has stored what follows from them by then. Locks nothing.
 * @throws Problem `unavailable` if one of them goes on for longer than nine minutes.
 */
export async function waitForEarlierTransactions(database: Database): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  const mine = await firstRow<{ id: string }>(database, 'select pg_current_xact_id()::text as id', {});
  for (;;) {
    const open = await firstRow(
      database,
      'select 1 as found where pg_snapshot_xmin(pg_current_snapshot()) <= :id::xid8',
      { id: mine?.id ?? '0' },
    );
    if (!open) return;
    if (Date.now() > deadline)
      throw new Problem('unavailable', 'Another transaction takes too long; try again', { retryAfterSeconds: 10 });
    await setTimeout(PAUSE_MS);
  }
}
