import type { Launcher } from '../../../../activities/outreach/deps.ts';
import type { Database } from '../../../../db/database.ts';
import { partitionsToWake, type Stored, storeEvents } from '../../../../db/outreach/inbox/intake.ts';
import type { IntakeCommand } from '../../../../domain/api/events.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import type { Logger } from '../../../runtime/logger.ts';

/** Rows of one insert, and inserts at once. */
const LARGEST_INSERT = 1000;
const INSERTS_AT_ONCE = 2;

/** Shorter than any drain stays. */
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

/** Class 22 of SQLSTATE: the data itself is invalid, whatever stands beside it. */
const isDataError = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '').startsWith('22');

/**
 * Signals partitions that nobody drains. Not awaited by anyone: the events are stored, and the sweep finds what a failed
 * signal leaves.
 */
function createWake({ database, launcher, logger }: IntakeDeps): (stored: Stored[]) => void {
  const signals = new Map<number, Promise<void>>();

  /** One signal a second is enough: the drain that it brings starts after it and lingers longer than that. */
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
      .catch((error: unknown) => logger.warn({ err: error }, 'no signal to the inbox; the sweep will see to it'));
  };
}

/**
 * Stores the events of requests that are in flight together in shared inserts: while two run, the others gather for
 * the next.
 */
export function createIntake(deps: IntakeDeps): (commands: IntakeCommand[]) => Promise<Stored[]> {
  const wake = createWake(deps);
  let waiting: Waiting[] = [];
  let running = 0;

  function take(): Waiting[] {
    let size = 0;
    const fitting = waiting.findIndex(({ commands }, index) => (size += commands.length) > LARGEST_INSERT && index > 0);
    const taken = fitting === -1 ? waiting : waiting.slice(0, fitting);
    waiting = waiting.slice(taken.length);
    return taken;
  }

  /** What the database rejects is found by halving: only the request that brought it fails. */
  async function store(group: Waiting[]): Promise<void> {
    try {
      const stored = await storeEvents(
        deps.database,
        group.flatMap(({ commands }) => commands),
        deps.partitions,
      );
      let position = 0;
      for (const { commands, resolve } of group) resolve(stored.slice(position, (position += commands.length)));
      wake(stored);
    } catch (error) {
      if (!isDataError(error)) return group.forEach(({ reject }) => reject(error));
      if (group.length === 1) {
        const invalid = new Problem('invalid_request', 'An event holds text that cannot be stored', { cause: error });
        return group.forEach(({ reject }) => reject(invalid));
      }
      const middle = Math.ceil(group.length / 2);
      await store(group.slice(0, middle));
      await store(group.slice(middle));
    }
  }

  function flush(): void {
    while (running < INSERTS_AT_ONCE && waiting.length > 0) {
      running += 1;
      void store(take()).finally(() => {
        running -= 1;
        flush();
      });
    }
  }

  return (commands) =>
    new Promise((resolve, reject) => {
      waiting.push({ commands, resolve, reject });
      flush();
    });
}
