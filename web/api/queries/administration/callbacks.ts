import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { ResolveCallback } from '#domain/orders/administration.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

const LIST_PAUSE_MS = 60_000;

/** Unresolved callbacks of the gateway that match no payment. */
export function useUnmatchedCallbacks(
  filter: MaybeRefOrGetter<{ cursor?: string | undefined; limit: number }>,
  enabled: MaybeRefOrGetter<boolean> = true,
) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['orders', 'unmatched', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listUnmatchedCallbacks', { query: toValue(filter), signal })).data,
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
