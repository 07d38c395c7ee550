import { setCurrentDetails } from '@temporalio/workflow';
import { driving } from './activities.ts';

/** Starts again what has been left without a workflow: payments that wait for something past, refunds not confirmed. */
export async function sweepOrders(): Promise<{ orders: number; refunds: number }> {
  const driven = await driving.driveOrders({ now: new Date(Date.now()).toISOString() });
  setCurrentDetails(`Drove ${driven.orders} payments and ${driven.refunds} refunds.`);
  return driven;
}
