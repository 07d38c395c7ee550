import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { PointKind } from '#domain/orders/administration.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

export interface AccountFilter {
  tenantId?: string | undefined;
  q?: string | undefined;
  cursor?: string | undefined;
}

/** One user's points at one tenant. */
export interface AccountKey {
  tenantId: string;
  userId: string;
}

export function usePointAccounts(filter: MaybeRefOrGetter<AccountFilter>) {
  return useQuery({
    ...listed(() => ['points', 'list', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listPointAccounts', { query: { ...toValue(filter), limit: 50 }, signal })).data,
  });
}

/** Available, held and used points of each kind; null disables the query. */
export function useBalances(key: MaybeRefOrGetter<AccountKey | null>) {
  return useQuery({
    queryKey: computed(() => ['points', 'balances', toValue(key)]),
    queryFn: async ({ signal }) => {
      const query = toValue(key);
      if (!query) throw new Error('asked for nobody’s points');
      return (await callOrders('getPoints', { query, signal })).data;
    },
    enabled: () => toValue(key) !== null,
  });
}

/** Every movement of a user's points, newest first, page by page. */
export function usePointEntries(
  key: MaybeRefOrGetter<AccountKey | null>,
  filter: MaybeRefOrGetter<{ kind?: PointKind | undefined; cursor?: string | undefined }>,
) {
  return useQuery({
    ...listed(() => ['points', 'entries', toValue(key), toValue(filter)]),
    queryFn: async ({ signal }) => {
      const query = { ...toValue(key), ...toValue(filter), limit: 50 };
      return (await callOrders('listPointEntries', { query, signal })).data;
    },
    enabled: () => toValue(key) !== null,
  });
}

export function useForgetPoints(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['points'] });
}
