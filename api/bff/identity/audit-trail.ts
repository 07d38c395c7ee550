import { uuidv7 } from 'uuidv7';
import type { BackendClient } from '#clients/backend/client.ts';
import { internalOperations, type NotedAudit, notedAtOnce } from '#domain/api/internal.ts';
import type { KeyScope } from '#domain/keys/scopes.ts';
import { auditedIds } from '#api/http/request-id.ts';
import { createEntryQueue } from '#api/runtime/audit/entry-queue.ts';
import { type AuditedPerson, createRefusals } from '#api/runtime/audit/refusals.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { backendProblem } from '../backend-problem.ts';

/** The actor of what the identity service did. */
export const IDENTITY_SERVICE = 'service:identity';

/** Sends sign-ins, sign-outs and refusals to the backend's audit log, asynchronously. */
export interface AuditTrail {
  signedIn(who: AuditedPerson): void;
  signedOut(who: AuditedPerson): void;
  /** Sessions of a person were ended, by the user id of somebody in the same tenant or by the identity service. */
  ended(whose: AuditedPerson, by: string): void;
  /**
   * Waits until the entry is stored, so that no key works that the log does not know.
   * @throws Problem `unavailable` if the backend cannot be reached.
   */
  keyCreated(by: AuditedPerson, key: CreatedKey): Promise<void>;
  keyRevoked(by: AuditedPerson, keyId: string): void;
  /** The first refusal of a minute makes an entry; the others of that minute make one together, with their count. */
  refused(who: AuditedPerson, operation: string): void;
  /** Flushes the queue. */
  close(): Promise<void>;
}

export interface CreatedKey {
  keyId: string;
  name: string;
  scopes: KeyScope[];
  expiresAt: string | null;
  serviceNumberIds: string[] | null;
}

type Entry = Pick<NotedAudit, 'action' | 'objectType' | 'objectId' | 'after'>;

export function createAuditTrail({ backend, logger }: { backend: BackendClient; logger: Logger }): AuditTrail {
  const store = (entries: NotedAudit[]) =>
    backend.call(internalOperations.noteAudit, { body: { entries }, requestId: uuidv7() });
  const queue = createEntryQueue<NotedAudit>({ store, atOnce: notedAtOnce, logger });
  const entryOf = ({ tenantId, userId }: AuditedPerson, entry: Entry): NotedAudit => ({
    auditId: uuidv7(),
    platformTenantId: tenantId,
    actor: userId,
    ...entry,
    ...auditedIds(),
  });
  function add(who: AuditedPerson, entry: Entry): void {
    // A token without a tenant belongs to no log.
    if (who.tenantId !== '') queue.add(entryOf(who, entry));
  }
  const refusals = createRefusals({
    logger,
    note: (who, { operation }, calls) =>
      add(who, { action: 'access.refuse', objectType: 'access', objectId: operation, after: { calls } }),
  });
  const session = (who: AuditedPerson, action: 'session.sign_in' | 'session.sign_out') =>
    add(who, { action, objectType: 'session', objectId: who.userId, after: null });

  return {
    signedIn: (who) => session(who, 'session.sign_in'),
    signedOut: (who) => session(who, 'session.sign_out'),
    ended: ({ tenantId, userId }, by) =>
      add({ tenantId, userId: by }, { action: 'session.end', objectType: 'session', objectId: userId, after: null }),
    async keyCreated(by, { keyId, ...after }) {
      const entry = entryOf(by, { action: 'api_key.create', objectType: 'api_key', objectId: keyId, after });
      await store([entry]).catch((error: unknown) => {
        throw backendProblem(error);
      });
    },
    keyRevoked: (by, keyId) =>
      add(by, { action: 'api_key.revoke', objectType: 'api_key', objectId: keyId, after: null }),
    refused: (who, operation) => refusals.refused(who, { operation }),
    async close() {
      refusals.close();
      await queue.close();
    },
  };
}
