import { setTimeout as pause } from 'node:timers/promises';
import { readMetrics } from '#test/support/http/metrics.ts';
import type { Callers } from './callers.ts';

/** What is 0 once nothing goes on any more. */
const gauges = [
  'orders_holds_open',
  'orders_refunds_pending',
  'orders_refunds_need_staff',
  'orders_flagged',
  'orders_callbacks_unmatched',
];

/** What still goes on, in words; empty at rest. */
async function restless({ sandbox }: Callers, metricsAddress: string, without: readonly string[]): Promise<string[]> {
  const metrics = await readMetrics(metricsAddress);
  const open = gauges
    .filter((name) => !without.includes(name) && metrics.get(name) !== 0)
    .map((name) => `${name} is ${metrics.get(name)}`);
  const callbacks = await sandbox<{ items: { status: string }[] }>('callbacks', 'GET', '/sandbox/callbacks');
  const pending = callbacks?.items.filter(({ status }) => status === 'pending').length;
  return pending === 0 ? open : [...open, `${pending} callbacks are pending`];
}

const PATIENCE_MS = 5 * 60_000;
const PAUSE_MS = 1000;

/**
 * Waits until payments, refunds, callbacks and decisions have ended.
 * @param without gauges that may stay
 * @returns what still goes on after 5 minutes; nothing at rest.
 */
export async function untilRest(
  callers: Callers,
  metricsAddress: string,
  without: readonly string[] = [],
): Promise<string[]> {
  const end = Date.now() + PATIENCE_MS;
  let open = await restless(callers, metricsAddress, without);
  while (open.length > 0 && Date.now() < end) {
    await pause(PAUSE_MS);
    open = await restless(callers, metricsAddress, without);
  }
  return open;
}
