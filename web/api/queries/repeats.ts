import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { RepeatStatus } from '#domain/campaigns/repeats/statuses.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface RepeatFilter {
  serviceNumberId?: string | undefined;
  status?: RepeatStatus | undefined;
  cursor?: string | undefined;
}

export function useRepeats(filter: MaybeRefOrGetter<RepeatFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['repeats', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listRepeats', { query: { ...toValue(filter), limit: 50 }, signal }),
  });
}

/** While it is open, a run that has begun meanwhile shows within half a minute. */
const REFRESH_MS = 30_000;

export function useRepeat(repeatId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['repeats', 'one', toValue(repeatId)]),
    queryFn: ({ signal }) => call('getRepeat', { params: { repeatId: toValue(repeatId) }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Its runs, newest first, page by page. */
export function useRepeatRuns(repeatId: MaybeRefOrGetter<string>, cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    ...listed(() => ['repeats', 'one', toValue(repeatId), 'runs', { cursor: toValue(cursor) }]),
    queryFn: ({ signal }) =>
      call('listRepeatRuns', {
        params: { repeatId: toValue(repeatId) },
        query: { cursor: toValue(cursor), limit: 50 },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
}

export function useForgetRepeats(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['repeats'] });
}
