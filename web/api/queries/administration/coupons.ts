import { useQuery } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { CouponData } from '#domain/orders/administration/catalogue.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

export interface CouponFilter {
  tenantId?: string | undefined;
  userId?: string | undefined;
  status?: CouponData['status'] | undefined;
  cursor?: string | undefined;
}

export function useCoupons(filter: MaybeRefOrGetter<CouponFilter>) {
  return useQuery({
    ...listed(() => ['coupons', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listCoupons', { query: { ...toValue(filter), limit: 50 }, signal })).data,
  });
}
