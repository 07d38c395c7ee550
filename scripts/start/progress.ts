/** Where a step reports its progress; the start prints it, tests stay silent. */
export type Say = (line: string) => void;

const REMINDER_MS = 10_000;

/** Time since `start` (milliseconds since the epoch), formatted for people. */
export const elapsed = (start: number): string => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Reports the start of the work, and the elapsed time every ten seconds. */
export async function withReminders<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  say(`${what} …`);
  const timer = setInterval(() => say(`${what} … ${elapsed(start)}`), REMINDER_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** With reminders, and reports its end. */
export async function withProgress<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const result = await withReminders(say, what, work);
  say(`${what}: done after ${elapsed(start)}`);
  return result;
}
