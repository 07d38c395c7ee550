import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { sessionScopes } from '#domain/session-scopes.ts';
import { call } from '../index.ts';

export type SessionScope = (typeof sessionScopes)[number];

/** The user's own sessions or all, as far as loaded. */
export function useSessions(scope: MaybeRefOrGetter<SessionScope>) {
  return useInfiniteQuery({
    queryKey: computed(() => ['sessions', toValue(scope)]),
    queryFn: ({ signal, pageParam }) =>
      call('listSessions', { query: { scope: toValue(scope), limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** Ends a session. */
export function useSessionEnd(ended: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('endSession', { params: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['sessions'] });
      ended();
    },
  });
}
