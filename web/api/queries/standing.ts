import { useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { call } from '../index.ts';
import { callOrders } from '../orders.ts';

/** Stalls last for minutes. */
const PAUSE_MS = 15_000;

/** Campaigns that have made no progress for longer than expected, each with the reason; there are few. */
export function useStandingCampaigns(
  filter: MaybeRefOrGetter<{ serviceNumberId?: string | undefined; campaignId?: string }>,
  enabled: MaybeRefOrGetter<boolean>,
) {
  const { data } = useQuery({
    enabled: () => toValue(enabled),
    queryKey: computed(() => ['campaigns', 'standing', toValue(filter)]),
    queryFn: async ({ signal }) => (await call('listStandingCampaigns', { query: toValue(filter), signal })).items,
    refetchInterval: PAUSE_MS,
  });
  const byId = computed(() => new Map((data.value ?? []).map((standing) => [standing.campaignId, standing])));
  return { standingOf: (campaignId: string) => (toValue(enabled) ? byId.value.get(campaignId) : undefined) };
}

/** Why an order has made no progress for longer than expected; undefined if it has, or nothing is expected of it. */
export function useOrderStanding(orderId: MaybeRefOrGetter<string>, enabled: MaybeRefOrGetter<boolean>) {
  const { data } = useQuery({
    enabled: () => toValue(enabled),
    queryKey: computed(() => ['orders', 'standing', toValue(orderId)]),
    queryFn: async ({ signal }) =>
      (await callOrders('getOrderStanding', { params: { id: toValue(orderId) }, signal })).data.standing,
    refetchInterval: PAUSE_MS,
  });
  return computed(() => (toValue(enabled) ? (data.value ?? undefined) : undefined));
}
