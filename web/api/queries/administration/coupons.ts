import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { CouponData } from '#domain/orders/administration/catalogue.ts';
import { callOrders } from '#web/api/orders.ts';

export interface CouponFilter {
  tenantId?: string | undefined;
  userId?: string | undefined;
  status?: CouponData['status'] | undefined;
  cursor?: string | undefined;
}

export function useCoupons(filter: MaybeRefOrGetter<CouponFilter>) {
  return useQuery({
    queryKey: computed(() => ['coupons', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listCoupons', { query: { ...toValue(filter), limit: 50 }, signal })).data,
    placeholderData: keepPreviousData,
  });
}
