import { uuidv7 } from 'uuidv7';
import { type NotedEntry, recordNoted } from '#db/outreach/audit/noted.ts';
import type { Database } from '#db/database.ts';
import { notedAtOnce } from '#domain/api/internal.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { Problem, type ProblemCode } from '#domain/api/problem.ts';
import { auditedIds } from '../http/request-id.ts';
import { createEntryQueue } from '../runtime/audit/entry-queue.ts';
import { type AuditedPerson, createRefusals, type Refusal } from '../runtime/audit/refusals.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Actor } from './auth.ts';

/** Records requests that the backend refuses to identified callers in the audit log. */
export interface RefusalTrail {
  note(who: AuditedPerson, refusal: Refusal): void;
  /** Notes an operation of the frontend API that failed because of who called it. */
  ofActor(actor: Actor, operation: AnyOperation, error: unknown): void;
  /** Flushes the queue. */
  close(): Promise<void>;
}

const byPerson: ReadonlySet<ProblemCode> = new Set(['forbidden', 'own_request']);

/** Where the BFF serves what it forwards. */
const FRONTEND_PREFIX = '/api/v1';

export function createRefusalTrail({ database, logger }: { database: Database; logger: Logger }): RefusalTrail {
  const queue = createEntryQueue<NotedEntry>({
    store: (entries) => recordNoted(database, entries),
    atOnce: notedAtOnce,
    logger,
  });
  const refusals = createRefusals({
    logger,
    note: ({ tenantId: platformTenantId, userId: actor }, { operation: objectId, more }, calls) =>
      queue.add({
        auditId: uuidv7(),
        platformTenantId,
        actor,
        action: 'access.refuse',
        objectType: 'access',
        objectId,
        after: { calls, ...more },
        ...auditedIds(),
      }),
  });
  return {
    note: refusals.refused,
    ofActor(actor, { method, path }, error) {
      if (!(error instanceof Problem) || !byPerson.has(error.code)) return;
      refusals.refused(actor, { operation: `${method.toUpperCase()} ${FRONTEND_PREFIX}${path}` });
    },
    async close() {
      refusals.close();
      await queue.close();
    },
  };
}
