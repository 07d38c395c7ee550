import { useMutation, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { RefundOrder, ResolveRefund } from '../../../../domain/orders/administration/refunds.ts';
import { callOrders } from '../../orders.ts';

/** Refunds a completed order; every list is read again afterwards, even if that failed. */
export function useRefundOrder(orderId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RefundOrder) => callOrders('refundOrder', { params: { id: toValue(orderId) }, body }),
    onSuccess: (response) => client.setQueryData(['orders', 'staff', toValue(orderId)], response),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}

/** Decides on a refund that needs staff. */
export function useResolveRefund(refundId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResolveRefund) => callOrders('resolveRefund', { params: { id: toValue(refundId) }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}
