import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SweptCounts } from '#activities/orders/sweep-orders.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { sweeping } from './activities.ts';

/**
 * Restarts whatever has no workflow: payments waiting for something in the past, and unconfirmed refunds. Also gives up
 * and deletes deliveries that nobody waits for. The workers do the same every few seconds (`api/orders/main.ts`).
 */
export async function sweepOrders(): Promise<SweptCounts> {
  const found = await sweeping.driveOrders({ now: new Date(Date.now()).toISOString() });
  const { orders, refunds, reads, deliveries } = found;
  setCurrentDetails(
    `Drove ${orders} payments and ${refunds} refunds; read ${reads} charges of ended payments; deleted ${deliveries} old deliveries.`,
  );
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'SWEPT' }]);
  return found;
}
