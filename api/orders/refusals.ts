import { uuidv7 } from 'uuidv7';
import { type NotedRefusal, recordRefusals } from '#db/orders/audit.ts';
import type { Database } from '#db/database.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { type AnyOrderOperation, ORDERS_PREFIX } from '#domain/orders/operations/describe.ts';
import { auditedIds } from '../http/request-id.ts';
import { createEntryQueue } from '../runtime/audit/entry-queue.ts';
import { createRefusals } from '../runtime/audit/refusals.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Payer } from './session.ts';

/** Has the audit log of a session's tenant show what the session was refused by role or tenant (90003). */
export interface RefusalTrail {
  note(payer: Payer, operation: AnyOrderOperation, error: unknown): void;
  /** Flushes the queue. */
  close(): Promise<void>;
}

/** Refusals of one statement at most. */
const AT_ONCE = 100;

export function createRefusalTrail({ database, logger }: { database: Database; logger: Logger }): RefusalTrail {
  const queue = createEntryQueue<NotedRefusal>({
    store: (refusals) => recordRefusals(database, refusals),
    atOnce: AT_ONCE,
    logger,
  });
  const refusals = createRefusals({
    logger,
    note: ({ tenantId, userId: actor }, { operation }, calls) =>
      queue.add({ entryId: uuidv7(), tenantId, actor, operation, calls, ...auditedIds() }),
  });
  return {
    note({ tenantId, userId }, { method, path }, error) {
      if (!(error instanceof OrderError) || error.code !== 90003) return;
      refusals.refused({ tenantId, userId }, { operation: `${method.toUpperCase()} ${ORDERS_PREFIX}${path}` });
    },
    async close() {
      refusals.close();
      await queue.close();
    },
  };
}
