import { activityInfo } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { confirmRefund, findRefund } from '../../db/orders/refunds/refunds.ts';
import { GatewayUnclear, type PaymentGateway } from '../../clients/payment-gateway/client.ts';
import { asRetry } from './charge-payment.ts';

/**
 * A gateway returns the first response for a key again, so a refund requested before its records show the money could
 * be rejected for good. After this many reads the refund is requested anyway.
 */
const LOOKS_BEFORE_ASKING = 3;

/** Resolves once the gateway has accepted the refund. */
async function refundMoney(gateway: PaymentGateway, chargeId: string): Promise<void> {
  const { status } = await gateway.readCharge(chargeId);
  if (status === 'refunded') return;
  if (status !== 'paid' && activityInfo().attempt <= LOOKS_BEFORE_ASKING)
    throw new GatewayUnclear(`a charge that must be refunded reads as ${status}`);
  const outcome = await gateway.refundCharge(`refund:${chargeId}`, chargeId, null);
  if (outcome.kind !== 'confirmed' && outcome.kind !== 'already_refunded')
    throw new GatewayUnclear(`a refund was answered with ${outcome.kind}`);
}

/** Refunds money that no order accepts, retrying until the gateway confirms. */
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
