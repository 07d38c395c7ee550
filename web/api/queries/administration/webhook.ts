import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { PutWebhook } from '#domain/orders/administration/merchant-events.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

const MOVING_PAUSE_MS = 5000;

/** Where a tenant receives its events: null where it receives none. A tenant of null disables the query. */
export function useWebhook(tenantId: MaybeRefOrGetter<string | null>) {
  return useQuery({
    queryKey: computed(() => ['webhook', toValue(tenantId)]),
    queryFn: async ({ signal }) =>
      (await callOrders('getWebhook', { params: { id: toValue(tenantId) ?? '' }, signal })).data,
    enabled: () => toValue(tenantId) !== null,
  });
}

export interface DeliveryFilter {
  orderId?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Events to the tenants' webhooks, newest first; read again while one of them is under way. */
export function useDeliveries(filter: MaybeRefOrGetter<DeliveryFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    ...listed(() => ['deliveries', toValue(filter)]),
    queryFn: async ({ signal }) => (await callOrders('listDeliveries', { query: toValue(filter), signal })).data,
    enabled: () => toValue(enabled),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? MOVING_PAUSE_MS : false,
  });
}

/** What staff may do with a tenant's webhook. */
export function useWebhookChanges(tenantId: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  const params = () => ({ id: toValue(tenantId) });
  const forget = (key: string) => client.invalidateQueries({ queryKey: [key] });
  return {
    put: useMutation({
      mutationFn: async (body: PutWebhook) => (await callOrders('putWebhook', { params: params(), body })).data,
      onSuccess: () => forget('webhook'),
    }),
    remove: useMutation({
      mutationFn: () => callOrders('deleteWebhook', { params: params() }),
      onSuccess: () => Promise.all([forget('webhook'), forget('deliveries')]),
    }),
    test: useMutation({
      mutationFn: () => callOrders('testWebhook', { params: params() }),
      onSettled: () => forget('deliveries'),
    }),
  };
}

/** Delivers an event again, now. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) => callOrders('redeliver', { params: { id: deliveryId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
}
