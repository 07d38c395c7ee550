import type { Database } from '../../db/database.ts';
import { ordersToDrive, refundsToDrive, type SweptOrder, type SweptRefund } from '../../db/orders/sweep.ts';

interface SweepDeps {
  database: Database;
  drivePayment: (order: SweptOrder) => Promise<void>;
  startRefund: (refund: SweptRefund) => Promise<void>;
}

const BATCH = 500;

/** Starts again, from the rows, what a crash or a restore has left without a workflow. */
export function createSweepActivities({ database, drivePayment, startRefund }: SweepDeps) {
  return {
    async driveOrders({ now }: { now: string }): Promise<{ orders: number; refunds: number }> {
      const orders = await ordersToDrive(database, new Date(now), BATCH);
      for (const order of orders) await drivePayment(order);
      const refunds = await refundsToDrive(database, new Date(now), BATCH);
      for (const refund of refunds) await startRefund(refund);
      return { orders: orders.length, refunds: refunds.length };
    },

    /** The refunds of one order that began with its end. */
    async startRefunds(refunds: SweptRefund[]): Promise<void> {
      for (const refund of refunds) await startRefund(refund);
    },
  };
}
