import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { tagStatuses } from '../../../domain/api/tags.ts';
import { call } from '../index.ts';

export interface TagFilter {
  serviceNumberId?: string | undefined;
  status?: (typeof tagStatuses)[number] | undefined;
  cursor?: string | undefined;
}

/** The first tags by a filter, and their names by id. */
export function useTags(filter: MaybeRefOrGetter<TagFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  const query = useQuery({
    enabled: () => toValue(enabled),
    queryKey: computed(() => ['tags', toValue(filter)]),
    queryFn: ({ signal }) => call('listTags', { query: { ...toValue(filter), limit: 200 }, signal }),
    placeholderData: keepPreviousData,
  });
  return {
    ...query,
    /** A tag that is not among them has no name here: the id is all there is. */
    nameOf: (id: string): string => query.data.value?.items.find(({ tagId }) => tagId === id)?.name ?? id,
  };
}

export function useTag(tagId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['tags', 'one', toValue(tagId)]),
    queryFn: ({ signal }) => call('getTag', { params: { tagId: toValue(tagId) }, signal }),
  });
}

/** Who has a tag, newest first, page by page. */
export function useTagAssignments(tagId: MaybeRefOrGetter<string>, cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => ['tags', 'one', toValue(tagId), 'assignments', toValue(cursor)]),
    queryFn: ({ signal }) =>
      call('listTagAssignments', {
        params: { tagId: toValue(tagId) },
        query: { cursor: toValue(cursor), limit: 50 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Gives a tag to contacts, or takes it from them. @returns how many got it; null where it was taken. */
export async function changeAssignments(tagId: string, contactIds: string[], how: 'give' | 'take') {
  const input = { params: { tagId }, body: { contactIds } };
  if (how === 'give') return call('assignTag', input);
  await call('unassignTag', input);
  return null;
}

/** Forgets tags, and what contacts have of them. */
export function useForgetTags(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['tags'] }),
      client.invalidateQueries({ queryKey: ['contacts', 'one'] }),
    ]);
  };
}
