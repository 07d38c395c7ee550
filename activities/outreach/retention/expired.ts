import { deleteExpiredRows } from '#commands/outreach/retention/delete-expired-rows.ts';
import {
  addMonths,
  analyzeTable,
  dropMonth,
  endedMonths,
  partitionedTables,
  type PartitionedTable,
} from '#db/outreach/retention/partitions.ts';
import { deleteUninstalled } from '#db/outreach/retention/uninstalled.ts';
import { keptSince, retentionOf } from '#domain/retention.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { AsOf, OutreachDeps } from '../deps.ts';
import { type DeletedRows, deleteRepeatedly } from './batch.ts';

/** Statements of one batch. */
const STATEMENTS = 100;

const tables = Object.keys(partitionedTables) as PartitionedTable[];

/** Months as `table month`. */
export interface TurnedMonths {
  added: string[];
  dropped: string[];
  /** Their retention has passed, but something in them is still needed. */
  kept: string[];
}

async function dropEnded({ database, settings, log }: OutreachDeps, now: Date): Promise<Omit<TurnedMonths, 'added'>> {
  const dropped: string[] = [];
  const kept: string[] = [];
  for (const table of tables) {
    const before = keptSince(retentionOf(settings)[partitionedTables[table]], now);
    for (const month of await endedMonths(database, table, before)) {
      const isDropped = await dropMonth(database, table, { month, before, now });
      (isDropped ? dropped : kept).push(`${table} ${month}`);
    }
  }
  if (dropped.length > 0 || kept.length > 0) log.info({ dropped, kept }, 'months whose retention has passed');
  return { dropped, kept };
}

export function createRetentionActivities(deps: OutreachDeps) {
  const { database, settings } = deps;
  return {
    /** Adds the partitions of the coming months and drops those whose retention has passed. Safe to repeat. */
    turnMonths: ({ now }: AsOf): Promise<TurnedMonths> =>
      withHeartbeat(async () => {
        const at = new Date(now);
        const added = await addMonths(database, at);
        const ended = await dropEnded(deps, at);
        for (const table of tables) await analyzeTable(database, table);
        return { added, ...ended };
      }),

    /** Deletes some of the rows without a partition of their own whose retention has passed. Safe to repeat. */
    deleteExpiredBatch: ({ now }: AsOf): Promise<DeletedRows> =>
      withHeartbeat((cancelled) =>
        deleteRepeatedly(() => deleteExpiredRows(database, retentionOf(settings), new Date(now)), {
          atMost: STATEMENTS,
          cancelled,
        }),
      ),

    /** Deletes some of the rows of tenants that were uninstalled long enough ago. Safe to repeat. */
    deleteUninstalledBatch: ({ now }: AsOf): Promise<DeletedRows> =>
      withHeartbeat(async (cancelled) => {
        const { uninstalled } = retentionOf(settings);
        if (uninstalled === null) return { deleted: 0, more: false };
        const before = keptSince(uninstalled, new Date(now));
        return await deleteRepeatedly(() => deleteUninstalled(database, before), { atMost: STATEMENTS, cancelled });
      }),
  };
}
