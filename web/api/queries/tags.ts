import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { tagStatuses } from '#domain/api/tags.ts';
import type { tagSorts } from '#domain/lists/sorts.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface TagFilter {
  serviceNumberId?: string | undefined;
  status?: (typeof tagStatuses)[number] | undefined;
  cursor?: string | undefined;
  sort?: (typeof tagSorts)[number] | undefined;
}

/** The first tags that match a filter, and their names by id. */
export function useTags(filter: MaybeRefOrGetter<TagFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  const query = useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['tags', toValue(filter)]),
    queryFn: ({ signal }) => call('listTags', { query: { ...toValue(filter), limit: 200 }, signal }),
  });
  return {
    ...query,
    /** A tag that is not among them has no name here, only an id. */
    nameOf: (id: string): string => query.data.value?.items.find(({ tagId }) => tagId === id)?.name ?? id,
  };
}

export function useTag(tagId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['tags', 'one', toValue(tagId)]),
    queryFn: ({ signal }) => call('getTag', { params: { tagId: toValue(tagId) }, signal }),
  });
}

/** The contacts with a tag, newest first, page by page. */
export function useTagAssignments(tagId: MaybeRefOrGetter<string>, cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    ...listed(() => ['tags', 'one', toValue(tagId), 'assignments', { cursor: toValue(cursor) }]),
    queryFn: ({ signal }) =>
      call('listTagAssignments', {
        params: { tagId: toValue(tagId) },
        query: { cursor: toValue(cursor), limit: 50 },
        signal,
      }),
  });
}

/**
 * Gives a tag to contacts or removes it from them.
 * @returns how many got it; null if it was removed.
 */
export async function changeAssignments(tagId: string, contactIds: string[], how: 'give' | 'take') {
  const input = { params: { tagId }, body: { contactIds } };
  if (how === 'give') return call('assignTag', input);
  await call('unassignTag', input);
  return null;
}

/** Invalidates tags, and which contacts have them. */
export function useForgetTags(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['tags'] }),
      client.invalidateQueries({ queryKey: ['contacts', 'one'] }),
    ]);
  };
}
