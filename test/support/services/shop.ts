import { type JsonClient, jsonClient } from '../../../scripts/demo/client.ts';
import type { Person } from '../browser/people.ts';
import type { Stack } from './stack.ts';

/**
 * Opens a shop in the person's tenant: goods `box` at 617.25 TWD and 20 points each, and 1000 tenant points for the
 * person.
 * @returns the order service as that person, who must be an order administrator and is also the payer.
 */
export async function openShop(stack: Stack, person: Person): Promise<JsonClient> {
  const { tenantId, sub: userId } = person;
  const { token } = await jsonClient(stack.addresses.sandbox).post<{ token: string }>('/sandbox/tokens', person);
  const orders = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
  await orders.put(`/admin/tenants/${tenantId}`, { name: 'Harbor Coffee', businessType: 0, PAYGW_shopId: 'harbor' });
  await orders.put('/admin/goods/box', {
    tenantId,
    name: 'Winter box',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 100,
    paymentOptions: [{ paymentOptionId: 'DEFAULT', name: 'DEFAULT', pointAmount: 20, cashAmount: 617.25 }],
  });
  await orders.post('/admin/points/grant', { tenantId, userId, kind: 'tenant', amount: 1000, key: 'start' });
  return orders;
}
