import { uuidv7 } from 'uuidv7';
import type { BackendClient } from '../../../clients/backend/client.ts';
import { internalOperations, type NotedAudit, notedAtOnce } from '../../../domain/api/internal.ts';
import { auditedIds } from '../../http/request-id.ts';
import type { Logger } from '../../runtime/logger.ts';

/** Whom an entry is about. */
export interface AuditedPerson {
  tenantId: string;
  userId: string;
}

/** The actor of what the identity service did. */
export const IDENTITY_SERVICE = 'service:identity';

/** Has the backend record who signed in and out, and who was refused what. Nobody waits for it. */
export interface AuditTrail {
  signedIn(who: AuditedPerson): void;
  signedOut(who: AuditedPerson): void;
  /** Sessions of a person were ended, by the user id of somebody in the same tenant or by the identity service. */
  ended(whose: AuditedPerson, by: string): void;
  /** The first refusal of a minute makes an entry; the others of that minute make one together, with their count. */
  refused(who: AuditedPerson, what: string): void;
  /** Hands over what is left. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Entries go together, and refusals cost the backend no call each. */
const HAND_OVER_MS = 1000;
/** What is kept while the backend is away; what comes then is lost, and the log says so. */
const MAXIMUM_WAITING = 10_000;
/** Who was refused what in the last minute. */
const MAXIMUM_COUNTED = 1000;

type Entry = Pick<NotedAudit, 'action' | 'objectType' | 'objectId' | 'after'>;

/** Entries wait for the backend, and are handed over in their order. */
function createQueue({ backend, logger }: { backend: BackendClient; logger: Logger }) {
  const waiting: NotedAudit[] = [];
  let sending: Promise<void> | undefined;
  let planned: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.slice(0, notedAtOnce);
      try {
        await backend.call(internalOperations.noteAudit, { body: { entries }, requestId: uuidv7() });
      } catch (error) {
        logger.warn({ err: error, entries: waiting.length }, 'audit entries wait for the backend');
        plan();
        return;
      }
      waiting.splice(0, entries.length);
    }
  }
  function start(): void {
    clearTimeout(planned);
    planned = undefined;
    sending ??= send().finally(() => {
      sending = undefined;
    });
  }
  function plan(): void {
    planned ??= setTimeout(start, HAND_OVER_MS).unref();
  }
  return {
    add({ tenantId, userId }: AuditedPerson, entry: Entry): void {
      // A token that names no tenant: nobody's log has it.
      if (tenantId === '') return;
      const noted = { auditId: uuidv7(), platformTenantId: tenantId, actor: userId, ...entry, ...auditedIds() };
      if (waiting.length >= MAXIMUM_WAITING) logger.error({ entry: noted }, 'an audit entry is lost');
      else waiting.push(noted);
      plan();
    },
    async close(): Promise<void> {
      await sending;
      start();
      await sending;
      clearTimeout(planned);
      if (waiting.length > 0) logger.error({ entries: waiting }, 'audit entries are lost');
    },
  };
}

export function createAuditTrail(deps: { backend: BackendClient; logger: Logger }): AuditTrail {
  const queue = createQueue(deps);
  const counted = new Map<string, { calls: number; end: () => void; timer: NodeJS.Timeout }>();
  const session = (who: AuditedPerson, action: 'session.sign_in' | 'session.sign_out') =>
    queue.add(who, { action, objectType: 'session', objectId: who.userId, after: null });

  function refused(who: AuditedPerson, what: string): void {
    const key = JSON.stringify([who.tenantId, who.userId, what]);
    const known = counted.get(key);
    if (known) {
      known.calls += 1;
      return;
    }
    if (counted.size >= MAXIMUM_COUNTED) return;
    const add = (calls: number) =>
      queue.add(who, { action: 'access.refuse', objectType: 'access', objectId: what, after: { calls } });
    const entry = {
      calls: 0,
      end: () => {
        counted.delete(key);
        if (entry.calls > 0) add(entry.calls);
      },
      timer: setTimeout(() => entry.end(), MINUTE_MS).unref(),
    };
    counted.set(key, entry);
    add(1);
  }

  return {
    signedIn: (who) => session(who, 'session.sign_in'),
    signedOut: (who) => session(who, 'session.sign_out'),
    ended: ({ tenantId, userId }, by) =>
      queue.add(
        { tenantId, userId: by },
        { action: 'session.end', objectType: 'session', objectId: userId, after: null },
      ),
    refused,
    async close() {
      for (const { timer, end } of counted.values()) {
        clearTimeout(timer);
        end();
      }
      await queue.close();
    },
  };
}
