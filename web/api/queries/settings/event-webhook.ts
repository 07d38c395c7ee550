import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import type { EventDelivery, PatchEndpoint, PutEventWebhook } from '#domain/api/webhook.ts';
import { call } from '#web/api/index.ts';
import { listed } from '../listed.ts';

const MOVING_PAUSE_MS = 5000;

/** Where a tenant's events are sent, oldest first. */
export function useEndpoints() {
  return useQuery({
    queryKey: ['event-endpoints'],
    queryFn: async ({ signal }) => (await call('listWebhookEndpoints', { signal })).items,
  });
}

export interface EventDeliveryFilter {
  status?: EventDelivery['status'] | undefined;
  type?: EventDelivery['type'] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Events to an endpoint, newest first; read again while one of them is under way. */
export function useEventDeliveries(
  endpointId: MaybeRefOrGetter<string | undefined>,
  filter: MaybeRefOrGetter<EventDeliveryFilter>,
) {
  return useQuery({
    ...listed(() => ['event-deliveries', toValue(endpointId), toValue(filter)]),
    queryFn: ({ signal }) => {
      const params = { endpointId: toValue(endpointId) ?? '' };
      return call('listEndpointDeliveries', { params, query: toValue(filter), signal });
    },
    enabled: () => toValue(endpointId) !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? MOVING_PAUSE_MS : false,
  });
}

/** With the entity tag of the endpoint that was read. */
interface OfEndpoint {
  endpointId: string;
  etag: string;
}

/** What an administrator may do with endpoints. A secret that was made is in its response alone. */
export function useEndpointChanges() {
  const client = useQueryClient();
  const forgetEndpoints = () => client.invalidateQueries({ queryKey: ['event-endpoints'] });
  const forgetDeliveries = () => client.invalidateQueries({ queryKey: ['event-deliveries'] });
  return {
    create: useMutation({
      mutationFn: (body: PutEventWebhook) => call('createWebhookEndpoint', { body }),
      onSuccess: forgetEndpoints,
      gcTime: 0,
    }),
    update: useMutation({
      mutationFn: ({ endpointId, etag, ...body }: PatchEndpoint & OfEndpoint) =>
        call('updateWebhookEndpoint', { params: { endpointId }, headers: { 'if-match': etag }, body }),
      onSuccess: () => Promise.all([forgetEndpoints(), forgetDeliveries()]),
    }),
    rotate: useMutation({
      mutationFn: (endpointId: string) => call('rotateEndpointSecret', { params: { endpointId } }),
      onSuccess: forgetEndpoints,
      gcTime: 0,
    }),
    remove: useMutation({
      mutationFn: ({ endpointId, etag }: OfEndpoint) =>
        call('deleteWebhookEndpoint', { params: { endpointId }, headers: { 'if-match': etag } }),
      onSuccess: () => Promise.all([forgetEndpoints(), forgetDeliveries()]),
    }),
    test: useMutation({
      mutationFn: (endpointId: string) => call('testWebhookEndpoint', { params: { endpointId } }),
      onSettled: forgetDeliveries,
    }),
    redeliver: useMutation({
      mutationFn: (params: { endpointId: string; deliveryId: string }) => call('redeliverEndpointEvent', { params }),
      onSettled: forgetDeliveries,
    }),
  };
}
