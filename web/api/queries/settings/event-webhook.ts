import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { EventDelivery, PutEventWebhook } from '#domain/api/webhook.ts';
import { call } from '#web/api/index.ts';

const MOVING_PAUSE_MS = 5000;

/** Where events of campaigns are sent: null where they are not. */
export function useEventWebhook() {
  return useQuery({
    queryKey: ['event-webhook'],
    queryFn: async ({ signal }) => (await call('getWebhook', { signal })).webhook,
  });
}

export interface EventDeliveryFilter {
  status?: EventDelivery['status'] | undefined;
  type?: EventDelivery['type'] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Events to the webhook, newest first; read again while one of them is under way. */
export function useEventDeliveries(filter: MaybeRefOrGetter<EventDeliveryFilter>) {
  return useQuery({
    queryKey: computed(() => ['event-deliveries', toValue(filter)]),
    queryFn: ({ signal }) => call('listWebhookDeliveries', { query: toValue(filter), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? MOVING_PAUSE_MS : false,
  });
}

/** What an administrator may do with the webhook. A secret that was made is in its response alone. */
export function useEventWebhookChanges() {
  const client = useQueryClient();
  const forgetWebhook = () => client.invalidateQueries({ queryKey: ['event-webhook'] });
  const forgetDeliveries = () => client.invalidateQueries({ queryKey: ['event-deliveries'] });
  return {
    put: useMutation({
      /** With the entity tag of the webhook that was read, if there was one. */
      mutationFn: ({ etag, ...body }: PutEventWebhook & { etag?: string | undefined }) =>
        call('putWebhook', { headers: { 'if-match': etag }, body }),
      onSuccess: forgetWebhook,
      gcTime: 0,
    }),
    rotate: useMutation({ mutationFn: () => call('rotateWebhookSecret', {}), onSuccess: forgetWebhook, gcTime: 0 }),
    remove: useMutation({
      mutationFn: (etag: string | undefined) => call('deleteWebhook', { headers: { 'if-match': etag } }),
      onSuccess: () => Promise.all([forgetWebhook(), forgetDeliveries()]),
    }),
    test: useMutation({ mutationFn: () => call('testWebhook', {}), onSettled: forgetDeliveries }),
    redeliver: useMutation({
      mutationFn: (deliveryId: string) => call('redeliverEvent', { params: { deliveryId } }),
      onSettled: forgetDeliveries,
    }),
  };
}
