import type { DueReport } from '#db/orders/events/refund-reports.ts';
import type { SweptOrder, SweptRefund } from '#db/orders/sweep.ts';

/** How activities start workflows: the service's launcher. */
export interface Drive {
  /** Starts payOrder from the order's rows, or wakes it if it is waiting. Returns whether there was anything to do. */
  resumePayment: (order: SweptOrder) => Promise<boolean>;
  /** False if the refund is already running. */
  startRefund: (refund: SweptRefund) => Promise<boolean>;
  /** Books a refund or a dispute that the gateway reports; false if that is already running. */
  startReport: (report: DueReport) => Promise<boolean>;
}
