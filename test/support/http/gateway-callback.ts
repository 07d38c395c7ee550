import { randomUUID } from 'node:crypto';
import { type GatewayCallback, signCallback } from '../../../domain/orders/callback.ts';
import type { Stack } from '../services/stack.ts';

/** Reports to the order service a paid charge that the gateway never made, signed as the gateway would. */
export async function sendCallback(
  { addresses, settings }: Stack,
  told: Pick<GatewayCallback, 'orderNo' | 'shopId' | 'amount'>,
): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify({ ...told, eventId: id, type: 'charge.paid', chargeId: `ch-${id}`, currency: 'TWD' });
  const signature = signCallback(settings.PAYMENT_GATEWAY_WEBHOOK_SECRET[0], Math.floor(Date.now() / 1000), body);
  const response = await fetch(`${addresses.orders}/transaction/v1/payment-gateway/callback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Gateway-Signature': signature },
    body,
  });
  if (!response.ok) throw new Error(`The callback's response was ${response.status}`);
}
