import { Problem } from '#domain/api/problem.ts';

/** The time by which a caller must have its response. */
export interface Deadline {
  /** Milliseconds left, never negative. */
  left(): number;
  /** @throws Problem `unavailable` at the deadline, while `work` continues. */
  guard<T>(work: Promise<T>): Promise<T>;
}

const tooLate = () =>
  new Problem('unavailable', 'A part of the service did not respond in time; try again', { retryAfterSeconds: 2 });

export function deadlineIn(ms: number): Deadline {
  const end = Date.now() + ms;
  const left = () => Math.max(0, end - Date.now());
  return {
    left,
    async guard(work) {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooLate()), left());
      });
      try {
        return await Promise.race([work, over]);
      } finally {
        clearTimeout(timer);
        // The waiting caller already has a response; later callers see how the work ended.
        work.catch(() => undefined);
      }
    },
  };
}
