/** Where a step says what it does; the start prints it, tests keep silent. */
export type Say = (line: string) => void;

const REMINDER_MS = 10_000;

/** Seconds since `start` (milliseconds since the epoch), as people read them. */
export const elapsed = (start: number): string => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Says what begins, reminds every ten seconds with the elapsed time, and says when it has ended. */
export async function withProgress<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  say(`${what} …`);
  const timer = setInterval(() => say(`${what} … ${elapsed(start)}`), REMINDER_MS);
  try {
    const result = await work();
    say(`${what}: done after ${elapsed(start)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
