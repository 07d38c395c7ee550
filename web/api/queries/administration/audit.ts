import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { callOrders } from '#web/api/orders.ts';

export interface OrderAuditFilter {
  tenantId?: string | undefined;
  actor?: string | undefined;
  cursor?: string | undefined;
}

/** Who changed what in the administration of orders, newest first. */
export function useOrderAudit(filter: MaybeRefOrGetter<OrderAuditFilter>) {
  return useQuery({
    queryKey: computed(() => ['order-audit', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listAudit', { query: { ...toValue(filter), limit: 50 }, signal })).data,
    placeholderData: keepPreviousData,
  });
}
