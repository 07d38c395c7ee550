import type { Database } from '../../db/database.ts';
import { confirmRefund, findRefund } from '../../db/orders/refunds.ts';
import type { PaymentGateway } from '../payment-gateway/client.ts';
import { asRetry } from './charge-payment.ts';

/** Money that no order takes goes back, repeated until the gateway confirms. */
export function createRefundActivities({ database, gateway }: { database: Database; gateway: PaymentGateway }) {
  return {
    async refundCharge({ chargeId }: { chargeId: string }): Promise<'confirmed' | 'unknown_refund'> {
      const refund = await findRefund(database, chargeId);
      if (!refund) return 'unknown_refund';
      if (refund.status === 'pending') {
        await gateway.refundCharge(`refund:${chargeId}`, chargeId).catch(asRetry);
        await confirmRefund(database, refund);
      }
      return 'confirmed';
    },
  };
}
