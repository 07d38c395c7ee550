import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import type { NoticeKind, NoticeSettings } from '#domain/api/notices.ts';
import { call } from '../index.ts';

const NOTICES_A_PAGE = 20;

export const noticeKeys = { list: ['notices', 'list'], settings: ['notices', 'settings'] };

/** What concerns this person, newest first, page by page. */
export function useNotices() {
  return useInfiniteQuery({
    queryKey: noticeKeys.list,
    queryFn: ({ signal, pageParam }) =>
      call('listNotices', { query: { limit: NOTICES_A_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
}

/** Marks all up to a moment as read. */
export function useReadNotices() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => call('readNotices', { body: { until } }),
    onSettled: () => client.invalidateQueries({ queryKey: noticeKeys.list }),
  });
}

/** Which kinds this person is told of. */
export function useNoticeSettings() {
  return useQuery({
    queryKey: noticeKeys.settings,
    queryFn: ({ signal }) => call('getNoticeSettings', { signal }),
  });
}

/** Switches one kind on or off. */
export function useNoticeSettingsChange() {
  const client = useQueryClient();
  return useMutation({
    // One after the other, each with what the one before has left.
    scope: { id: 'notice-settings' },
    mutationFn: ({ kind, isTold }: { kind: NoticeKind; isTold: boolean }) =>
      call('putNoticeSettings', {
        body: { ...client.getQueryData<NoticeSettings>(noticeKeys.settings), [kind]: isTold },
      }),
    onSuccess: (stored) => client.setQueryData(noticeKeys.settings, stored),
    onSettled: () => client.invalidateQueries({ queryKey: noticeKeys.settings }),
  });
}
