import type { Database } from '../../../../db/database.ts';
import { unmatchedCallbacks } from '../../../../db/orders/staff.ts';
import { callbackOperations } from '../../../../domain/orders/operations/callbacks.ts';
import type { ServeOrders } from '../../order-api.ts';
import { presentCallback } from '../../present-staff.ts';

/** Callbacks that staff must look at. */
export function callbackStaffRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(callbackOperations.listUnmatchedCallbacks, {
    handle: async ({ actor: payer }) => ({
      items: (await unmatchedCallbacks(database, payer.tenantId)).map(presentCallback),
      nextCursor: null,
    }),
  });
}
