import type { SweptCounts } from '../../activities/orders/sweep-orders.ts';
import type { SweepRounds } from '../contracts/sweep-rounds.ts';
import { sweepInRounds } from '../sweep-rounds.ts';
import { sweeping } from './activities.ts';

/**
 * Restarts whatever has no workflow: payments waiting for something in the past, and unconfirmed refunds. Also gives up
 * and deletes deliveries that nobody waits for. Null if no round finished.
 */
export async function sweepOrders(rounds?: SweepRounds): Promise<SweptCounts | null> {
  return sweepInRounds(rounds, {
    round: () => sweeping.driveOrders({ now: new Date(Date.now()).toISOString() }),
    tell: ({ orders, refunds, reads = 0, deliveries = 0 }) =>
      `Drove ${orders} payments and ${refunds} refunds; read ${reads} charges of ended payments; deleted ${deliveries} old deliveries.`,
  });
}
