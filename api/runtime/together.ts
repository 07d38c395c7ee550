import type { Polling } from './temporal.ts';

/** Several that start and stop together; one that fails ends the service. */
export const together = (pollings: readonly Polling[]): Polling => ({
  run: async () => void (await Promise.all(pollings.map((polling) => polling.run()))),
  shutdown: () => pollings.forEach((polling) => polling.shutdown()),
});
