import { z } from 'zod';
import type { Journal } from '#sandbox/journal.ts';

const share = z.number().min(0).max(1);
const milliseconds = z.number().int().min(0).max(86_400_000);

/** How fast and how reliably the platform sends. */
export const behaviourSchema = z.strictObject({
  /** From the acceptance of an immediate task, or the scheduled time of another, until sending starts. */
  startDelayMs: milliseconds,
  /** How long sending a task takes. */
  sendDurationMs: milliseconds,
  /** Reads happen between the delivery and this much later. */
  readDelayMs: milliseconds,
  /** Share of recipients held back by frequency and quiet-hours governance. */
  governanceShare: share,
  /** Share of sent messages that are not delivered. */
  failedShare: share,
  /** Share of delivered messages that are read. */
  readShare: share,
  /** Share of tasks that fail entirely. */
  taskFailureShare: share,
  seed: z.number().int(),
  /** Whether A1 honours `Idempotency-Key`. */
  a1Idempotent: z.boolean(),
});

export type Behaviour = z.infer<typeof behaviourSchema>;

const paceSchema = behaviourSchema
  .pick({ startDelayMs: true, sendDurationMs: true, readDelayMs: true })
  .partial()
  .extend({ nameIncludes: z.string().min(1) });

/** How fast tasks are sent whose name includes a text; of several, the first counts. */
export const pacesSchema = z.strictObject({ paces: z.array(paceSchema) });

const initial = {
  startDelayMs: 800,
  sendDurationMs: 4000,
  readDelayMs: 20_000,
  governanceShare: 0.02,
  failedShare: 0.01,
  readShare: 0.6,
  taskFailureShare: 0,
  seed: 1,
};

export function createBehaviour(journal: Journal, a1Idempotent: boolean) {
  let behaviour: Behaviour = { ...initial, a1Idempotent };
  // As faults are, in memory only: whoever set them may be gone after a restart.
  let paces: z.infer<typeof pacesSchema>['paces'] = [];
  const record = journal.register<Partial<Behaviour>>('behaviour', {
    apply: (changes) => void (behaviour = { ...behaviour, ...changes }),
    *dump() {
      const { a1Idempotent: changedLater, ...rest } = behaviour;
      // After a restart the setting applies again, unless it has been overridden in the meantime.
      yield changedLater === a1Idempotent ? rest : behaviour;
    },
  });
  return {
    get: () => behaviour,
    change: record,
    /** For one task. */
    of({ name }: { name: string }): Behaviour {
      const { nameIncludes: _, ...pace } = paces.find(({ nameIncludes }) => name.includes(nameIncludes)) ?? {};
      return { ...behaviour, ...pace };
    },
    setPaces(given: typeof paces): void {
      paces = given;
    },
  };
}

export type BehaviourStore = ReturnType<typeof createBehaviour>;
