import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { tagStatuses } from '../../domain/api/tags.ts';
import { call } from './index.ts';

export interface TagFilter {
  serviceNumberId?: string | undefined;
  status?: (typeof tagStatuses)[number] | undefined;
  cursor?: string | undefined;
}

export function useTags(filter: MaybeRefOrGetter<TagFilter>) {
  return useQuery({
    queryKey: computed(() => ['tags', toValue(filter)]),
    queryFn: ({ signal }) => call('listTags', { query: { ...toValue(filter), limit: 200 }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useForgetTags(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['tags'] });
}
