import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { ChangeTenant } from '#domain/orders/administration.ts';
import { callOrders } from '#web/api/orders.ts';
import { OrderProblem } from '#web/api/http/order-problem.ts';

/** The record of a tenant in the order service; null where it has none. A tenant of null disables the query. */
export function useShopTenant(tenantId: MaybeRefOrGetter<string | null>) {
  return useQuery({
    queryKey: computed(() => ['shop-tenant', toValue(tenantId)]),
    queryFn: async ({ signal }) => {
      try {
        return (await callOrders('getTenant', { params: { id: toValue(tenantId) ?? '' }, signal })).data;
      } catch (error) {
        if (error instanceof OrderProblem && error.code === 90200) return null;
        throw error;
      }
    },
    enabled: () => toValue(tenantId) !== null,
  });
}

/** Changes which refunds need an approval. */
export function useShopTenantChange(tenantId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ etag, ...body }: ChangeTenant & { etag: string }) =>
      (await callOrders('changeTenant', { params: { id: toValue(tenantId) }, headers: { 'if-match': etag }, body }))
        .data,
    onSettled: () => client.invalidateQueries({ queryKey: ['shop-tenant'] }),
  });
}
