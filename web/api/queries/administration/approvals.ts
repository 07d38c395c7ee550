import { useMutation, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { ResolveApproval } from '#domain/orders/administration/approvals.ts';
import { callOrders } from '#web/api/orders.ts';

/** Approves, rejects or withdraws a refund; every list is read again afterwards, even if that failed. */
export function useResolveApproval(approvalId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResolveApproval) => callOrders('resolveApproval', { params: { id: toValue(approvalId) }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}
