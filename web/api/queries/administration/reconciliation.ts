import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

const RUNNING_PAUSE_MS = 2000;

/** The days that were compared, newest first; read again while one is being compared. */
export function useReconciliationDays(cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    ...listed(() => ['reconciliation', 'days', { cursor: toValue(cursor) }]),
    queryFn: async ({ signal }) =>
      (await callOrders('listReconciliationDays', { query: { cursor: toValue(cursor), limit: 50 }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'running') ? RUNNING_PAUSE_MS : false,
  });
}

/** The differences of one day (UTC). */
export function useReconciliation(date: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['reconciliation', 'day', toValue(date)]),
    queryFn: async ({ signal }) =>
      (await callOrders('getReconciliation', { query: { date: toValue(date) }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_PAUSE_MS : false),
  });
}

/** Compares a day with the gateway now. */
export function useReconcile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (date: string) => callOrders('reconcile', { body: { date } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['reconciliation'] }),
  });
}
