import { Problem } from '../../domain/api/problem.ts';

/** A moment by which a caller must have its answer. */
export interface Deadline {
  /** Milliseconds left, never negative. */
  left(): number;
  /** @throws Problem `unavailable` at the deadline, while `work` goes on. */
  guard<T>(work: Promise<T>): Promise<T>;
}

const tooLate = () =>
  new Problem('unavailable', 'A part of the service did not answer in time; repeat the call', { retryAfterSeconds: 2 });

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
        // Whoever waited has an answer; how the work ends is told to those who come next.
        work.catch(() => undefined);
      }
    },
  };
}
