import { toValue, type MaybeRefOrGetter } from 'vue';
import { useRouter } from 'vue-router';
import type { OrderData } from '#domain/orders/responses.ts';
import { callOrders } from '../api/orders.ts';
import { orderAgain } from './choice.ts';

/** Leads from an order that has ended to a new one like it. However often it is asked for, it is one order. */
export function useOrderAgain(order: MaybeRefOrGetter<OrderData>) {
  const router = useRouter();
  return async function again(): Promise<'leaving'> {
    const of = toValue(order);
    const headers = { 'idempotency-key': `again:${of.orderId}` };
    const { data } = await callOrders('createOrder', { body: orderAgain(of), headers });
    await router.push({ name: 'checkout', params: { orderId: data.orderId }, query: { tenantId: of.tenantId } });
    return 'leaving';
  };
}
