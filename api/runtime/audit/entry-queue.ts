import type { Logger } from '../logger.ts';

/** Entries for an audit log, stored asynchronously. */
export interface EntryQueue<Entry> {
  add(entry: Entry): void;
  /** Flushes the queue. */
  close(): Promise<void>;
}

interface EntryQueueOptions<Entry> {
  /** Repeated after a failure, perhaps of the response alone: each entry is stored once by its id. */
  store: (entries: Entry[]) => Promise<void>;
  /** Entries of one call at most. */
  atOnce: number;
  logger: Logger;
}

/** Entries go together, so that one more costs no call of its own. */
const STORE_AFTER_MS = 1000;
/** How many entries are kept while the log cannot be reached; further ones are lost, and the loss is logged. */
const MAXIMUM_WAITING = 10_000;

/** Stores entries in their order, a second after they were added. */
export function createEntryQueue<Entry>({ store, atOnce, logger }: EntryQueueOptions<Entry>): EntryQueue<Entry> {
  const waiting: Entry[] = [];
  let storing: Promise<void> | undefined;
  let planned: NodeJS.Timeout | undefined;

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.slice(0, atOnce);
      try {
        await store(entries);
      } catch (error) {
        logger.warn({ err: error, entries: waiting.length }, 'audit entries wait');
        plan();
        return;
      }
      waiting.splice(0, entries.length);
    }
  }
  function start(): void {
    clearTimeout(planned);
    planned = undefined;
    storing ??= storeAll().finally(() => {
      storing = undefined;
    });
  }
  function plan(): void {
    planned ??= setTimeout(start, STORE_AFTER_MS).unref();
  }
  return {
    add(entry) {
      if (waiting.length >= MAXIMUM_WAITING) logger.error({ entry }, 'an audit entry is lost');
      else waiting.push(entry);
      plan();
    },
    async close() {
      await storing;
      start();
      await storing;
      clearTimeout(planned);
      if (waiting.length > 0) logger.error({ entries: waiting }, 'audit entries are lost');
    },
  };
}
