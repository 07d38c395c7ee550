import { randomUUID } from 'node:crypto';
import { type GatewayCallback, signCallback } from '#domain/orders/callback.ts';
import type { Stack } from '../services/stack.ts';

/**
 * Reports a paid charge to the order service, signed as the gateway would; one that the gateway never made unless
 * `chargeId` names another.
 */
export async function sendCallback(
  { addresses, settings }: Stack,
  told: Pick<GatewayCallback, 'orderNo' | 'shopId' | 'amount'> & Partial<Pick<GatewayCallback, 'chargeId' | 'eventId'>>,
): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify({ eventId: id, type: 'charge.paid', chargeId: `ch-${id}`, currency: 'TWD', ...told });
  const signature = signCallback(settings.PAYMENT_GATEWAY_WEBHOOK_SECRET[0], Math.floor(Date.now() / 1000), body);
  const response = await fetch(`${addresses.orders}/transaction/v1/payment-gateway/callback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Gateway-Signature': signature },
    body,
  });
  if (!response.ok) throw new Error(`The callback's response was ${response.status}`);
}
