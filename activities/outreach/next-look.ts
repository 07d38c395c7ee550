/** When a workflow looks again. */
export interface NextLook {
  /** ISO 8601; null: no more, or not soon. */
  nextLookAt: string | null;
  /** How far away that is by the clock of the worker, in milliseconds; absent without a time. */
  nextLookInMs?: number;
}

export const toNextLook = (at: Date | null, now: Date): NextLook =>
  at === null ? { nextLookAt: null } : { nextLookAt: at.toISOString(), nextLookInMs: at.getTime() - now.getTime() };
