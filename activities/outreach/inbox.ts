import type { OutreachDeps } from './deps.ts';

export interface DrainResult {
  handled: number;
  /** Nobody drains the partition now, and nothing was due at the end. */
  idle: boolean;
}

export function createInboxActivities(_deps: OutreachDeps) {
  return {
    /** Handles what is stored in the partition, and stays while events come. */
    drainInbox: (_input: { partition: number }): Promise<DrainResult> => Promise.resolve({ handled: 0, idle: true }),
  };
}
