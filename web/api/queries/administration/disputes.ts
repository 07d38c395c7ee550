import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { DisputeStatus } from '#domain/orders/administration/disputes.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

const LIST_PAUSE_MS = 60_000;

export interface DisputeFilter {
  tenantId?: string | undefined;
  status: DisputeStatus;
  cursor?: string | undefined;
  limit: number;
}

/** Disputes of one status, newest first. */
export function useDisputes(filter: MaybeRefOrGetter<DisputeFilter>) {
  return useQuery({
    ...listed(() => ['orders', 'disputes', toValue(filter)]),
    queryFn: async ({ signal }) => (await callOrders('listDisputes', { query: toValue(filter), signal })).data,
    refetchInterval: LIST_PAUSE_MS,
  });
}

/** Adds a note of staff to a dispute; its order and every list are read again afterwards. */
export function useNoteDispute(disputeId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => callOrders('noteDispute', { params: { id: toValue(disputeId) }, body: { text } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}
