import type { Launcher } from '#activities/outreach/deps.ts';
import type { Database } from '#db/database.ts';
import { isDataError } from '#db/errors.ts';
import { partitionsToWake, type Stored, storeEvents } from '#db/outreach/inbox/intake.ts';
import { bisect } from '#domain/bisect.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import { Problem } from '#domain/api/problem.ts';
import { coalesce } from '#api/runtime/coalesce.ts';
import type { Logger } from '#api/runtime/logger.ts';

/** Limits of rows per insert and of parallel inserts. */
const insertLimits = { size: 1000, atOnce: 2 };

/** Shorter than any drain stays alive. */
const SIGNAL_EVERY_MS = 1000;

export interface IntakeDeps {
  database: Database;
  launcher: Pick<Launcher, 'inbox'>;
  partitions: number;
  logger: Pick<Logger, 'warn'>;
}

interface Waiting {
  commands: IntakeCommand[];
  resolve: (stored: Stored[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Signals partitions that nobody drains. Nobody awaits this: the events are stored, and the sweep covers failed
 * signals.
 */
function createWake({ database, launcher, logger }: IntakeDeps): (stored: Stored[]) => void {
  const signals = new Map<number, Promise<void>>();

  /** One signal per second is enough: the drain it triggers starts afterwards and stays longer than that. */
  function signal(partition: number): Promise<void> {
    const recent = signals.get(partition);
    if (recent) return recent;
    const forget = () => void signals.delete(partition);
    const sent = launcher.inbox(partition);
    signals.set(partition, sent);
    sent.then(() => setTimeout(forget, SIGNAL_EVERY_MS).unref(), forget);
    return sent;
  }

  return (stored) => {
    const partitions = new Set(stored.flatMap((item) => (item.kind === 'stored' ? [item.partition] : [])));
    if (partitions.size === 0) return;
    void partitionsToWake(database, [...partitions])
      .then((idle) => Promise.all(idle.map((partition) => signal(partition))))
      .catch((error: unknown) => logger.warn({ err: error }, 'could not signal the inbox; the sweep will start it'));
  };
}

/**
 * Stores the events of concurrent requests in shared inserts: while two inserts run, further events gather for the
 * next one.
 */
export function createIntake(deps: IntakeDeps): (commands: IntakeCommand[]) => Promise<Stored[]> {
  const wake = createWake(deps);

  async function insert(requests: readonly Waiting[]): Promise<never[]> {
    const commands = requests.flatMap((request) => request.commands);
    const stored = await storeEvents(deps.database, commands, deps.partitions, new Date());
    let position = 0;
    for (const request of requests) request.resolve(stored.slice(position, (position += request.commands.length)));
    wake(stored);
    return [];
  }

  function reject(error: unknown, requests: readonly Waiting[]): never[] {
    const reason = isDataError(error)
      ? new Problem('invalid_request', 'An event contains text that cannot be stored', { cause: error })
      : error;
    for (const request of requests) request.reject(reason);
    return [];
  }

  // If the database rejects the data, only the request it came from fails.
  const inserts = coalesce<Waiting>(
    async (requests) => void (await bisect(requests, { run: insert, mayBeOneItem: isDataError, fail: reject })),
    { ...insertLimits, weight: ({ commands }) => commands.length },
  );

  return (commands) => new Promise((resolve, reject) => inserts.add({ commands, resolve, reject }));
}
