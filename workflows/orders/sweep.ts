import type { SweepRounds } from '../contracts/sweep-rounds.ts';
import { sweepInRounds } from '../sweep-rounds.ts';
import { sweeping } from './activities.ts';

/**
 * Starts again what has been left without a workflow: payments that wait for something past, refunds not confirmed.
 * Null where no round could be finished.
 */
export async function sweepOrders(rounds?: SweepRounds): Promise<{ orders: number; refunds: number } | null> {
  return sweepInRounds(rounds, {
    round: () => sweeping.driveOrders({ now: new Date(Date.now()).toISOString() }),
    tell: (driven) => `Drove ${driven.orders} payments and ${driven.refunds} refunds.`,
  });
}
