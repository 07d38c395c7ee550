import { useQuery } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface OverviewRequest {
  serviceNumberId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  timeZone?: string | undefined;
}

/** What needs attention and what worked in a period; refetched every 15 s. Nothing while the request is null. */
export function useOverview(request: MaybeRefOrGetter<OverviewRequest | null>) {
  return useQuery({
    enabled: () => toValue(request) !== null,
    ...listed(() => ['overview', toValue(request)]),
    queryFn: ({ signal }) => call('getOverview', { query: toValue(request) ?? {}, signal }),
    refetchInterval: 15_000,
  });
}
