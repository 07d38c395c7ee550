import { useQuery } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

export interface OrderAuditFilter {
  tenantId?: string | undefined;
  actor?: string | undefined;
  cursor?: string | undefined;
}

/** Who changed what in the administration of orders, newest first. */
export function useOrderAudit(filter: MaybeRefOrGetter<OrderAuditFilter>) {
  return useQuery({
    ...listed(() => ['order-audit', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listAudit', { query: { ...toValue(filter), limit: 50 }, signal })).data,
  });
}
