import { type Database, firstRow, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type Begun, bindingsOf, countLeft, dueAgain, dueOfKind, type Kind } from '#db/outreach/inbox/replay.ts';

/** Events per transaction: the drains proceed with them in the meantime, and nothing waits long for their locks. */
const REPLAYED_AT_ONCE = 5000;

/** A caller is waiting; the rest stays failed and can be replayed by another call. */
const REPLAY_MS = 20_000;

/** Some of the events that failed up to `began`. */
function replaySome(
  database: Database,
  author: Author,
  kind: Begun,
): Promise<{ replayed: number; partitions: number[] }> {
  const { eventType, reason } = kind;
  return database.transaction(async (transaction) => {
    const found = await rows<{ partition: number; count: number }>(
      transaction,
      `with due as (${dueAgain}
         where (tenant_integration_id, event_id, received_at) in (select tenant_integration_id, event_id, received_at
           from event_inbox
           where ${dueOfKind(reason)}
           order by received_at desc, event_id desc limit ${REPLAYED_AT_ONCE} for update)
         returning partition)
       select partition, count(*) as count from due group by partition order by partition`,
      bindingsOf(author.tenantId, kind),
    );
    const replayed = found.reduce((sum, { count }) => sum + count, 0);
    if (replayed > 0)
      await recordAudit(transaction, author, {
        action: 'event.replay_kind',
        objectType: 'event',
        objectId: eventType,
        before: { status: 'failed', ...(reason === undefined ? {} : { reason }) },
        after: { status: 'stored', events: replayed },
      });
    return { replayed, partitions: found.map(({ partition }) => partition) };
  });
}

/**
 * Makes every failed event of a kind due again if its payload still exists, as far as one call gets: one audit entry
 * per 5,000.
 * @returns how many, where, and how many it left to another call after `forMs`.
 */
export async function replayKind(
  database: Database,
  author: Author,
  kind: Kind,
  { forMs } = { forMs: REPLAY_MS },
): Promise<{ replayed: number; left: number; partitions: number[] }> {
  const clock = await firstRow<{ began: string }>(database, 'select clock_timestamp()::text as began', {});
  if (!clock) throw new Error('The database returned no time');
  const deadline = Date.now() + forMs;
  const partitions = new Set<number>();
  let total = 0;
  for (;;) {
    const some = await replaySome(database, author, { ...kind, ...clock });
    total += some.replayed;
    for (const partition of some.partitions) partitions.add(partition);
    if (some.replayed < REPLAYED_AT_ONCE) return { replayed: total, left: 0, partitions: [...partitions] };
    if (Date.now() >= deadline) {
      const left = await countLeft(database, author.tenantId, { ...kind, ...clock });
      return { replayed: total, left, partitions: [...partitions] };
    }
  }
}
