import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { Audience } from '../../domain/api/audiences.ts';
import { call } from './index.ts';

export interface PreviewRequest {
  serviceNumberId: string;
  audience: Audience;
}

/** Live counts of an audience. A question that is no longer asked is aborted; null asks nothing. */
export function useAudiencePreview(request: MaybeRefOrGetter<PreviewRequest | null>) {
  return useQuery({
    queryKey: computed(() => ['audience-preview', toValue(request)]),
    queryFn: ({ signal }) => {
      const body = toValue(request);
      if (!body) throw new Error('asked without an audience');
      return call('previewAudience', { body, signal });
    },
    enabled: () => toValue(request) !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useSavedAudiences(serviceNumberId: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => ['audiences', toValue(serviceNumberId)]),
    queryFn: ({ signal }) =>
      call('listAudiences', { query: { serviceNumberId: toValue(serviceNumberId), limit: 200 }, signal }),
  });
}
