import { setTimeout } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { keepLease, type Lease, markLease, takeLease } from '#db/outreach/inbox/lease.ts';
import { keptSince, retentionOf } from '#domain/retention.ts';
import { attemptOwner, withHeartbeat } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';
import { droppingErased } from './handlers/erased.ts';
import { eventHandlers } from './handlers/index.ts';
import { BATCH_SIZE, type BatchResult, handleBatch } from './batch.ts';
import { traceBatch } from './traces.ts';

/**
 * A drain keeps running this long after the last event, since a signal and a workflow task cost more than another
 * look.
 */
const LINGER_MS = 2000;
/** It ends after this long in any case, so that a stopping worker does not have to wait. */
const LONGEST_MS = 30_000;
/**
 * A batch costs as much as a hundred events besides its own, so where many arrive, those that arrive meanwhile share the
 * next one. Where few do there is time for more batches, and nobody waits noticeably for the effect of an event.
 */
const LOOK_EVERY_MS = { few: 20, many: 50 };
const MANY = 20;

export interface DrainResult {
  handled: number;
  /** The partition has no drain now, and nothing was due at the end. */
  idle: boolean;
}

/** Polls the campaigns that the batch gave new tasks; their rows are due, so the sweep finds whatever fails here. */
async function afterBatch(deps: OutreachDeps, { failed, polls }: BatchResult): Promise<void> {
  for (const { event, outcome } of failed) {
    const { tenantId, eventId, eventType } = event;
    deps.log.warn({ tenantId, eventId, eventType, outcome }, 'an event could not be handled');
  }
  for (const campaign of polls.values()) {
    await deps.launcher
      .polling(campaign, { wake: true })
      .catch((error: unknown) =>
        deps.log.warn({ err: error, ...campaign }, 'polling could not be started; the sweep will start it'),
      );
  }
}

const clicksKeptSince = ({ settings, now }: OutreachDeps): Date => keptSince(retentionOf(settings).timeline, now());

/** What a drain of a partition whose lease it holds ends by. */
interface Holding {
  isHeld(): boolean;
  cancelled: AbortSignal;
}

async function drainHeld(deps: OutreachDeps, lease: Lease, { isHeld, cancelled }: Holding): Promise<DrainResult> {
  const handlers = droppingErased(eventHandlers, deps.encryption);
  const startedAt = Date.now();
  let handled = 0;
  let lastEventAt = Date.now();
  const handleOne = async () => {
    const batchStartedAt = new Date();
    const result = await handleBatch(deps.database, lease.partition, handlers, deps.now(), clicksKeptSince(deps));
    if (deps.traces && result.traced.length > 0) traceBatch(deps.traces, result, batchStartedAt);
    await afterBatch(deps, result);
    handled += result.taken;
    if (result.taken > 0) lastEventAt = Date.now();
    return result.taken;
  };
  while (!cancelled.aborted && Date.now() - startedAt < LONGEST_MS) {
    if (!isHeld()) return { handled, idle: true };
    const lookedAt = Date.now();
    const taken = await handleOne();
    if (taken === BATCH_SIZE) continue;
    if (taken > 0 || lookedAt - lastEventAt < LINGER_MS) {
      const every = LOOK_EVERY_MS[taken < MANY ? 'few' : 'many'];
      await setTimeout(Math.max(0, lookedAt + every - Date.now()));
    } else {
      // Anyone who stores an event from now on sees that a signal is needed; events stored before are found here.
      if (!(await markLease(deps.database, lease, 'closing'))) return { handled, idle: true };
      if ((await handleOne()) === 0) {
        await markLease(deps.database, lease, 'free');
        return { handled, idle: true };
      }
      await markLease(deps.database, lease, 'draining');
    }
  }
  return { handled, idle: false };
}

/** Handles what is stored in a partition whose lease was just taken, until it is idle, lost or cancelled, at most for 30 s. */
export async function drain(deps: OutreachDeps, lease: Lease, cancelled: AbortSignal): Promise<DrainResult> {
  const { isHeld, stop } = keepLease(deps.database, lease);
  try {
    return await drainHeld(deps, lease, { isHeld, cancelled });
  } finally {
    stop();
  }
}

/**
 * Where a process has died, others go on by themselves, long before the workflow server notices: each heartbeat is billed
 * as an action.
 */
const HEARTBEAT_EVERY_MS = 10_000;

export function createInboxActivities(deps: OutreachDeps) {
  return {
    /** Handles what is stored in the partition, and keeps running while events arrive. */
    drainInbox: ({ partition }: { partition: number }): Promise<DrainResult> =>
      withHeartbeat(
        async (cancelled) => {
          const lease = { partition, holder: attemptOwner() };
          await takeLease(deps.database, lease);
          const drained = await drain(deps, lease, cancelled);
          if (cancelled.aborted) {
            await markLease(deps.database, lease, 'free');
            await Context.current().cancelled;
          }
          return drained;
        },
        { everyMs: HEARTBEAT_EVERY_MS },
      ),
  };
}
