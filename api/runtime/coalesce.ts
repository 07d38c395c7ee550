export interface CoalesceLimits<Entry> {
  /** Maximum weight of a batch; a heavier single entry is a batch of its own. */
  size: number;
  /** Maximum number of batches running in parallel. */
  atOnce: number;
  /** Weight of an entry; 1 if absent. */
  weight?(entry: Entry): number;
}

export interface Coalescing<Entry> {
  add(entry: Entry): void;
  waiting(): number;
}

/**
 * Serves the entries of concurrent requests in shared batches: entries that arrive while as many batches as allowed
 * are running form the next one.
 * @param serve must not reject: it settles each of its entries.
 */
export function coalesce<Entry>(
  serve: (entries: Entry[]) => Promise<void>,
  { size, atOnce, weight = () => 1 }: CoalesceLimits<Entry>,
): Coalescing<Entry> {
  const waiting: Entry[] = [];
  let running = 0;

  function take(): Entry[] {
    let total = 0;
    const end = waiting.findIndex((entry, index) => (total += weight(entry)) > size && index > 0);
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function run(): Promise<void> {
    running += 1;
    await serve(take());
    running -= 1;
    pump();
  }

  function pump(): void {
    while (running < atOnce && waiting.length > 0) void run();
  }

  return {
    add(entry) {
      waiting.push(entry);
      // Entries that arrive in the same turn of the event loop share a batch.
      if (waiting.length === 1) setImmediate(pump);
    },
    waiting: () => waiting.length,
  };
}
