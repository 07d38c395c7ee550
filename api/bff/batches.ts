export interface BatchLimits {
  /** Entries of one batch. */
  size: number;
  /** Batches under way at the same time. */
  atOnce: number;
}

export interface Batches<Entry> {
  add(entry: Entry): void;
  waiting(): number;
}

/**
 * Serves entries in batches: what arrives while the batches under way are busy goes together in the next.
 * @param serve must not reject.
 */
export function createBatches<Entry>(
  serve: (entries: Entry[]) => Promise<void>,
  { size, atOnce }: BatchLimits,
): Batches<Entry> {
  const waiting: Entry[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running += 1;
    await serve(waiting.splice(0, size));
    running -= 1;
    pump();
  }

  function pump(): void {
    while (running < atOnce && waiting.length > 0) void run();
  }

  return {
    add(entry) {
      waiting.push(entry);
      // What arrives in the same turn of the event loop goes together.
      if (waiting.length === 1) setImmediate(pump);
    },
    waiting: () => waiting.length,
  };
}
