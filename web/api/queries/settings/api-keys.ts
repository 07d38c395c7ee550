import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/vue-query';
import type { CreateApiKey, ShownApiKey } from '#domain/api/api-keys.ts';
import { call } from '#web/api/index.ts';

/** The tenant's keys, as far as the administrator has read on. */
export function useApiKeys() {
  return useInfiniteQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal, pageParam }) => call('listApiKeys', { query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

export function useApiKeyChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['api-keys'] });
  return {
    /** The key itself is in this response alone. */
    create: useMutation({
      mutationFn: (body: CreateApiKey): Promise<ShownApiKey> => call('createApiKey', { body }),
      onSuccess,
      gcTime: 0,
    }),
    revoke: useMutation({ mutationFn: (id: string) => call('revokeApiKey', { params: { id } }), onSuccess }),
  };
}
