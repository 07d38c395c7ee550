import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { call } from '../index.ts';
import { campaignKeys } from './campaigns.ts';

/** What begins in [from, to); null: nothing is asked yet. */
export function useCalendar(
  scope: MaybeRefOrGetter<{ from: string; to: string; serviceNumberId: string | undefined } | null>,
) {
  return useQuery({
    enabled: () => toValue(scope) !== null,
    // Whatever changes a campaign changes it too.
    queryKey: computed(() => [...campaignKeys.all, 'calendar', toValue(scope)]),
    queryFn: ({ signal }) => call('getCalendar', { query: toValue(scope) ?? { from: '', to: '' }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}
