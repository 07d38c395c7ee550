import type { SweepRounds } from '../contracts/sweep-rounds.ts';
import { sweepInRounds } from '../sweep-rounds.ts';
import { sweeping } from './activities.ts';

/**
 * Restarts whatever has no workflow: payments waiting for something in the past, and unconfirmed refunds. Null if
 * no round finished.
 */
export async function sweepOrders(
  rounds?: SweepRounds,
): Promise<{ orders: number; refunds: number; reads?: number } | null> {
  return sweepInRounds(rounds, {
    round: () => sweeping.driveOrders({ now: new Date(Date.now()).toISOString() }),
    tell: ({ orders, refunds, reads = 0 }) =>
      `Drove ${orders} payments and ${refunds} refunds; read ${reads} charges of ended payments.`,
  });
}
