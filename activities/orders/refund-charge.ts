import { activityInfo } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { confirmRefund, findRefund } from '../../db/orders/refunds.ts';
import { GatewayUnclear, type PaymentGateway } from '../../clients/payment-gateway/client.ts';
import { asRetry } from './charge-payment.ts';

/**
 * A gateway gives the first answer of a key again, so that a refund asked for before its records show the money could be
 * refused for good. After so many looks the refund is asked for all the same.
 */
const LOOKS_BEFORE_ASKING = 3;

/** Resolves once the money is on its way back. */
async function refundMoney(gateway: PaymentGateway, chargeId: string): Promise<void> {
  const { status } = await gateway.readCharge(chargeId);
  if (status === 'refunded') return;
  if (status !== 'paid' && activityInfo().attempt <= LOOKS_BEFORE_ASKING)
    throw new GatewayUnclear(`a charge that is to be refunded reads as ${status}`);
  await gateway.refundCharge(`refund:${chargeId}`, chargeId);
}

/** Money that no order takes goes back, repeated until the gateway confirms. */
export function createRefundActivities({ database, gateway }: { database: Database; gateway: PaymentGateway }) {
  return {
    async refundCharge({ chargeId }: { chargeId: string }): Promise<'confirmed' | 'unknown_refund'> {
      const refund = await findRefund(database, chargeId);
      if (!refund) return 'unknown_refund';
      if (refund.status === 'pending') {
        await refundMoney(gateway, chargeId).catch(asRetry);
        await confirmRefund(database, refund);
      }
      return 'confirmed';
    },
  };
}
