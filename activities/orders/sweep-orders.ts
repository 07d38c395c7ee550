import type { PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { deleteOldDeliveries } from '#db/webhooks/retention.ts';
import { finishRemovals } from '#db/orders/merchant-events/webhooks.ts';
import { reportsToDrive } from '#db/orders/events/refund-reports.ts';
import { ordersToDrive, refundsToDrive, type SweptRefund } from '#db/orders/sweep.ts';
import type { Drive } from './drive.ts';
import { readEndedCharges } from './read-ended-charges.ts';

interface SweepDeps extends Drive {
  database: Database;
  gateway: PaymentGateway;
}

/** What a round found. */
export interface SweptCounts {
  orders: number;
  refunds: number;
  /** Charges of ended payments that were read. */
  reads: number;
  /** Old deliveries that were deleted. */
  deliveries: number;
}

const BATCH = 500;
/** How long charges of ended payments are read in one round; the last of them may take seconds more if the gateway is slow. */
const READING_MS = 8000;
/** Old deliveries deleted in one round: more than a busy service writes meanwhile. */
const DELETIONS = 2000;

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

/** Finishes and deletes what no workflow is for. */
async function tidyDeliveries({ database }: SweepDeps, now: Date, failures: unknown[]): Promise<number> {
  try {
    await finishRemovals(database, now);
    return await deleteOldDeliveries(database, { now, limit: DELETIONS });
  } catch (error) {
    failures.push(error);
    return 0;
  }
}

/** Restarts, from the rows, what a crash or a restore has left without a workflow. */
export function createSweepActivities(deps: SweepDeps) {
  const { database, resumePayment, startRefund, startReport } = deps;
  return {
    /**
     * One order that cannot be driven does not keep the others from their turn; its error is thrown after all had
     * theirs.
     */
    async driveOrders({ now }: { now: string }): Promise<SweptCounts> {
      const failures: unknown[] = [];
      const orders = await doEach(await ordersToDrive(database, new Date(now), BATCH), resumePayment, failures);
      const refunds = await doEach(await refundsToDrive(database, new Date(now), BATCH), startRefund, failures);
      await doEach(await reportsToDrive(database, new Date(now), BATCH), startReport, failures);
      const reads = await readEndedCharges(deps, { now: new Date(now), withinMs: READING_MS, failures });
      const deliveries = await tidyDeliveries(deps, new Date(now), failures);
      if (failures.length > 0) throw failures[0];
      return { orders, refunds, reads, deliveries };
    },

    /** The refunds of one order that began when it ended. */
    async startRefunds(refunds: SweptRefund[]): Promise<void> {
      for (const refund of refunds) await startRefund(refund);
    },
  };
}
