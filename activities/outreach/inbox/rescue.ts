import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { takeAbandoned } from '#db/outreach/inbox/lease.ts';
import { notingSome } from '#db/recurring/runs.ts';
import { INBOX_RESCUE } from '#domain/recurring/sweep.ts';
import type { OutreachDeps } from '../deps.ts';
import { drain } from './drain.ts';

const LOOK_EVERY_MS = 500;

/**
 * Goes on where a drain has died, until the workflow's next attempt takes over or nothing is left. One that only hangs
 * notices that it has lost its lease; what both have begun is handled once, since the rows are locked. A process that ends
 * leaves the lease to expire, so that the next one goes on.
 */
export function createInboxRescue(deps: OutreachDeps): { run(): Promise<void>; shutdown(): void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const under = new Set<Promise<void>>();
  const noting = notingSome(deps.database, INBOX_RESCUE);

  async function goOn(partition: number, holder: string): Promise<void> {
    deps.log.warn({ partition }, 'a drain of the inbox has died; this process continues it');
    try {
      while (!(await drain(deps, { partition, holder }, signal)).idle && !signal.aborted);
    } catch (error) {
      deps.log.warn({ err: error, partition }, 'the inbox could not be drained; the next check tries again');
    }
  }

  async function look(): Promise<void> {
    const holder = `rescue/${randomUUID()}`;
    for (const partition of await noting(() => takeAbandoned(deps.database, holder))) {
      const going = goOn(partition, holder).finally(() => under.delete(going));
      under.add(going);
    }
  }

  return {
    async run() {
      while (!signal.aborted) {
        await look().catch((error: unknown) => deps.log.warn({ err: error }, 'leases of the inbox could not be read'));
        await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
      await Promise.all(under);
    },
    shutdown: () => stopping.abort(),
  };
}
