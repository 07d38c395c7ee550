import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { RefundOrder, RefundStatus, ResolveRefund } from '#domain/orders/administration/refunds.ts';
import { keeping } from '#web/api/http/kept-keys.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

const LIST_PAUSE_MS = 60_000;
const MOVING_PAUSE_MS = 5000;

export interface RefundFilter {
  tenantId?: string | undefined;
  status: RefundStatus;
  cursor?: string | undefined;
  limit: number;
}

/** Refunds of one status, newest first, those of money without an order included; read again sooner while pending. */
export function useRefunds(filter: MaybeRefOrGetter<RefundFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['orders', 'refunds', toValue(filter)]),
    queryFn: async ({ signal }) => (await callOrders('listRefunds', { query: toValue(filter), signal })).data,
    refetchInterval: () => (toValue(filter).status === 'pending' ? MOVING_PAUSE_MS : LIST_PAUSE_MS),
  });
}

/** Refunds a completed order; every list is read again afterwards, even if that failed. Asked for again, it is done once. */
export function useRefundOrder(orderId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: Omit<RefundOrder, 'key'>) => {
      const params = { id: toValue(orderId) };
      return keeping(JSON.stringify(['refund', params, wish]), (key) =>
        callOrders('refundOrder', { params, body: { ...wish, key } }),
      );
    },
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
