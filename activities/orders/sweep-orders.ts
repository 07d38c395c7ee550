import type { Database } from '../../db/database.ts';
import { ordersToDrive, refundsToDrive, type SweptOrder, type SweptRefund } from '../../db/orders/sweep.ts';

interface SweepDeps {
  database: Database;
  resumePayment: (order: SweptOrder) => Promise<boolean>;
  startRefund: (refund: SweptRefund) => Promise<boolean>;
}

const BATCH = 500;

/** Processes all of them and collects the failures. @returns for how many there was something to do. */
async function doEach<Item>(
  items: Item[],
  work: (item: Item) => Promise<boolean>,
  failures: unknown[],
): Promise<number> {
  let done = 0;
  for (const item of items) {
    try {
      if (await work(item)) done += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  return done;
}

/** Restarts, from the rows, what a crash or a restore has left without a workflow. */
export function createSweepActivities({ database, resumePayment, startRefund }: SweepDeps) {
  return {
    /**
     * One order that cannot be driven does not keep the others from their turn; its error is thrown after all had
     * theirs.
     */
    async driveOrders({ now }: { now: string }): Promise<{ orders: number; refunds: number }> {
      const failures: unknown[] = [];
      const orders = await doEach(await ordersToDrive(database, new Date(now), BATCH), resumePayment, failures);
      const refunds = await doEach(await refundsToDrive(database, new Date(now), BATCH), startRefund, failures);
      if (failures.length > 0) throw failures[0];
      return { orders, refunds };
    },

    /** The refunds of one order that began when it ended. */
    async startRefunds(refunds: SweptRefund[]): Promise<void> {
      for (const refund of refunds) await startRefund(refund);
    },
  };
}
