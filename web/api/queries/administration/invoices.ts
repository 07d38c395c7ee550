import { useMutation, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { ChangeInvoice } from '#domain/orders/invoice.ts';
import { callOrders } from '#web/api/orders.ts';

/** Stores which invoice was issued for an order, and whether it was voided. */
export function useChangeInvoice(orderId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeInvoice) => callOrders('changeInvoice', { params: { id: toValue(orderId) }, body }),
    onSuccess: (response) => client.setQueryData(['orders', 'staff', toValue(orderId)], response),
  });
}
