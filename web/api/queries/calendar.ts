import { useQuery } from '@tanstack/vue-query';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { call } from '../index.ts';
import { campaignKeys } from './campaigns.ts';
import { listed } from './listed.ts';

/** What begins in [from, to); null: nothing is asked yet. */
export function useCalendar(
  scope: MaybeRefOrGetter<{ from: string; to: string; serviceNumberId: string | undefined } | null>,
) {
  return useQuery({
    enabled: () => toValue(scope) !== null,
    // Whatever changes a campaign changes it too.
    ...listed(() => [...campaignKeys.all, 'calendar', toValue(scope)]),
    queryFn: ({ signal }) => call('getCalendar', { query: toValue(scope) ?? { from: '', to: '' }, signal }),
    refetchInterval: 30_000,
  });
}
