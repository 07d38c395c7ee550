/**
 * Lets batches grow under load: those who wait for their responses come back one by one, and the first of them would
 * otherwise take a batch of its own. Nobody who sends alone waits.
 */
export interface Gathering {
  /** With fewer entries than the last batch had, a batch starts once none has arrived for this long. */
  quietMs: number;
  /** The longest that an entry waits for others to arrive, or for the end of a batch that it could run beside. */
  mostMs: number;
}

export interface CoalesceLimits<Entry> {
  /** Maximum weight of a batch; a heavier single entry is a batch of its own. */
  size: number;
  /** Maximum number of batches running in parallel. */
  atOnce: number;
  /** Weight of an entry; 1 if absent. */
  weight?(entry: Entry): number;
  /** Without it, a batch starts as soon as there is an entry and room for it. */
  gathering?: Gathering;
}

export interface Coalescing<Entry> {
  add(entry: Entry): void;
  waiting(): number;
}

/** When the entries that wait become a batch. */
function createGathering({ quietMs, mostMs }: Gathering, look: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let lastSize = 0;
  let seen = 0;
  return {
    /** The first of a batch waits from now on. */
    begin(): void {
      since = performance.now();
      seen = 0;
    },
    taken: (size: number): void => void (lastSize = size),
    isComplete: (waiting: number, running: number): boolean => running === 0 && waiting >= lastSize,
    /** Whether to start one; otherwise `look` is called when it may be time. */
    isDue(waiting: number, running: number): boolean {
      clearTimeout(timer);
      const left = since + mostMs - performance.now();
      const isQuiet = running === 0 && (waiting >= lastSize || waiting === seen);
      if (isQuiet || left <= 0) return true;
      seen = running === 0 ? waiting : 0;
      timer = setTimeout(look, running === 0 ? quietMs : left);
      return false;
    },
  };
}

/**
 * Serves the entries of concurrent requests in shared batches: entries that arrive while as many batches as allowed
 * are running form the next one.
 * @param serve must not reject: it settles each of its entries.
 */
export function coalesce<Entry>(
  serve: (entries: Entry[]) => Promise<void>,
  { size, atOnce, weight = () => 1, gathering: given }: CoalesceLimits<Entry>,
): Coalescing<Entry> {
  const waiting: Entry[] = [];
  let running = 0;
  const gathering = given && createGathering(given, pump);

  function take(): Entry[] {
    let total = 0;
    const end = waiting.findIndex((entry, index) => (total += weight(entry)) > size && index > 0);
    const taken = waiting.splice(0, end === -1 ? waiting.length : end);
    gathering?.taken(taken.length);
    gathering?.begin();
    return taken;
  }

  async function run(): Promise<void> {
    running += 1;
    await serve(take());
    running -= 1;
    pump();
  }

  function pump(): void {
    while (running < atOnce && waiting.length > 0) {
      if (gathering && !gathering.isDue(waiting.length, running)) return;
      void run();
    }
  }

  return {
    add(entry) {
      waiting.push(entry);
      if (waiting.length === 1) gathering?.begin();
      // Entries that arrive in the same turn of the event loop share a batch.
      if (waiting.length === 1 || gathering?.isComplete(waiting.length, running)) setImmediate(pump);
    },
    waiting: () => waiting.length,
  };
}
