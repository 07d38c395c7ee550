import type { Stack } from '../services/stack.ts';

/**
 * Makes a charge at the sandbox's gateway that the order service knows nothing of; returns its id.
 * @throws Error if the gateway makes none
 */
export async function chargePastUs(
  { settings, addresses }: Pick<Stack, 'settings' | 'addresses'>,
  charge: { shopId: string; orderNo: string; amount: number },
): Promise<string> {
  const response = await fetch(`${settings.PAYMENT_GATEWAY_BASE_URL}/v1/charges`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${settings.PAYMENT_GATEWAY_KEY}`,
      'idempotency-key': charge.orderNo,
    },
    body: JSON.stringify({
      ...charge,
      currency: 'TWD',
      callbackURL: `${addresses.orders}/transaction/v1/payment-gateway/callback`,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  if (response.status !== 201) throw new Error(`The gateway's response was ${response.status}`);
  return ((await response.json()) as { chargeId: string }).chargeId;
}
