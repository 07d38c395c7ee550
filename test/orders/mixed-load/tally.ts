/** What was done, and how the services responded. */
export function createTally() {
  const operations = new Map<string, Map<number, number>>();
  const latenciesMs = new Map<string, number[]>();
  const notes = new Map<string, number>();
  return {
    /** One response; the code is the order service's, or the sandbox's status. */
    response(operation: string, code: number, ms: number): void {
      const codes = operations.get(operation) ?? new Map<number, number>();
      operations.set(operation, codes.set(code, (codes.get(code) ?? 0) + 1));
      const latencies = latenciesMs.get(operation) ?? [];
      latencies.push(ms);
      latenciesMs.set(operation, latencies);
    },
    note: (what: string): void => void notes.set(what, (notes.get(what) ?? 0) + 1),
    /** Responses by operation and code. */
    operations: () =>
      Object.fromEntries([...operations].map(([operation, codes]) => [operation, Object.fromEntries(codes)])),
    notes: () => Object.fromEntries(notes),
    /** Milliseconds below which this share of an operation's responses came; null without any. */
    quantileMs(operation: string, share: number): number | null {
      const sorted = (latenciesMs.get(operation) ?? []).toSorted((one, other) => one - other);
      const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
      return value === undefined ? null : Math.round(value);
    },
  };
}

export type Tally = ReturnType<typeof createTally>;

/** How often each of them occurs. */
export function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}
