import { useInfiniteQuery } from '@tanstack/vue-query';
import { call } from '../index.ts';
import { campaignKeys } from './campaigns.ts';

/** The contacts of a sub-task, as far as the user has read on. Apart from the other queries: editors do not load it. */
export function useSubTaskContacts(id: string, key: string) {
  return useInfiniteQuery({
    queryKey: campaignKeys.part(id, 'sub-task-contacts', { key }),
    queryFn: ({ signal, pageParam }) =>
      call('listSubTaskContacts', { params: { id, key }, query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
