import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { mayPass } from '#db/errors.ts';
import { backoffMs } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';

const unstoredSchema = z.object({
  key: z.string(),
  /** The attempt that claimed the sub-task: only in its name may the outcome be stored. */
  owner: z.string(),
  /** Null if the platform certainly does not have the sub-task. */
  taskId: z.string().nullable(),
  estimatedRecipientCount: z.number().nullable(),
  scheduled: z.boolean(),
});

/** What the platform answered to one A1 call and the database has not stored yet. */
export type Unstored = z.infer<typeof unstoredSchema>;

/** What the heartbeats of an earlier attempt carried; the details of another release may be shaped differently. */
const carriedSchema = z.array(unstoredSchema).catch([]);

/** The outcomes of one attempt on their way to the database. */
export interface UnstoredOutcomes {
  /** What the last attempt could not store. */
  inherited: readonly Unstored[];
  /** What heartbeats carry to the next attempt. */
  list(): Unstored[];
  /**
   * Repeats `store` while the database is away or busy, until it has succeeded or the activity's time is over after its
   * cancellation; meanwhile, and if it fails, heartbeats carry `outcome`.
   * @throws the last error.
   */
  persist<T>(outcome: Unstored | null, store: () => Promise<T>): Promise<T>;
}

const ATTEMPTS_FOR_OTHER_ERRORS = 6;

/** Aborts `ms` after `cancelled` has. */
function endAfter(cancelled: AbortSignal, ms: number): AbortSignal {
  const end = new AbortController();
  const begin = () => void globalThis.setTimeout(() => end.abort(), ms).unref();
  if (cancelled.aborted) begin();
  else cancelled.addEventListener('abort', begin, { once: true });
  return end.signal;
}

export function createUnstoredOutcomes({ drainMs, sleep }: Pick<OutreachDeps, 'drainMs' | 'sleep'>): UnstoredOutcomes {
  const context = Context.current();
  const over = endAfter(context.cancellationSignal, drainMs);
  const inherited = carriedSchema.parse(context.info.heartbeatDetails);
  const carried = new Map(inherited.map((outcome) => [outcome.key, outcome]));
  const list = () => [...carried.values()];

  function carry(outcome: Unstored): void {
    if (carried.get(outcome.key) === outcome) return;
    carried.set(outcome.key, outcome);
    context.heartbeat(list());
  }

  async function persist<T>(outcome: Unstored | null, store: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await store();
        if (outcome) carried.delete(outcome.key);
        return result;
      } catch (error) {
        if (outcome) carry(outcome);
        if (over.aborted || (attempt >= ATTEMPTS_FOR_OTHER_ERRORS && !mayPass(error))) throw error;
        await sleep(backoffMs(attempt, 100, 2000), over).catch(() => undefined);
      }
    }
  }

  return { inherited, list, persist };
}
