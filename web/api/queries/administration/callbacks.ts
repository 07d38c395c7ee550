import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { ResolveCallback } from '#domain/orders/administration.ts';
import { callOrders } from '#web/api/orders.ts';

const LIST_PAUSE_MS = 60_000;

/** Unresolved callbacks of the gateway that match no payment. */
export function useUnmatchedCallbacks(filter: MaybeRefOrGetter<{ cursor?: string | undefined; limit: number }>) {
  return useQuery({
    queryKey: computed(() => ['orders', 'unmatched', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listUnmatchedCallbacks', { query: toValue(filter), signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: LIST_PAUSE_MS,
  });
}

/** Decides on one of them; the lists are read again afterwards, even if that failed. */
export function useResolveCallback(eventId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResolveCallback) => callOrders('resolveCallback', { params: { id: toValue(eventId) }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}
