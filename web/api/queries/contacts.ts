import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { ServiceNumber } from '#domain/api/contacts.ts';
import type { ProfileField } from '#domain/contacts/segment-limits.ts';
import type { timelineFilters } from '#domain/contacts/timeline-filters.ts';
import type { contactSorts } from '#domain/lists/sorts.ts';
import { call } from '../index.ts';
import { useMe } from './integration.ts';
import { listed } from './listed.ts';

export interface ContactFilter {
  serviceNumberId?: string | undefined;
  q?: string | undefined;
  tagId?: string | undefined;
  sort?: (typeof contactSorts)[number] | undefined;
}

export interface ContactAddress {
  snId: string;
  contactId: string;
}

/** The commonest values of a field of the profile that begin so; none until a service number and an attribute's name are known. */
export function useContactValues(
  asked: MaybeRefOrGetter<{ serviceNumberId: string | undefined; field: ProfileField; name: string; prefix: string }>,
) {
  return useQuery({
    enabled: () => {
      const { serviceNumberId, field, name } = toValue(asked);
      return serviceNumberId !== undefined && (field !== 'attribute' || name !== '');
    },
    ...listed(() => {
      const { field, name, ...filter } = toValue(asked);
      return ['contacts', 'values', field, name, filter];
    }),
    queryFn: ({ signal }) => {
      const { serviceNumberId = '', field, name, prefix } = toValue(asked);
      const ofAttribute = field === 'attribute' ? { name } : {};
      return call('listContactValues', { query: { serviceNumberId, field, ...ofAttribute, prefix }, signal });
    },
    staleTime: 60_000,
  });
}

/** The first matching contacts, to choose from. */
export function useContacts(filter: MaybeRefOrGetter<ContactFilter>, enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['contacts', 'first', toValue(filter)]),
    queryFn: ({ signal }) => call('listContacts', { query: { ...toValue(filter), limit: 50 }, signal }),
  });
}

/** Contacts on every page but the last. */
export const contactsPerPage = 200;
const livelyPages = 3;

/**
 * Contacts as far as the user has scrolled, page by page. A list scrolled far does not refetch by itself: that would
 * take hundreds of calls and lose the scroll position.
 */
export function useScrolledContacts(
  filter: MaybeRefOrGetter<ContactFilter>,
  enabled: MaybeRefOrGetter<boolean> = true,
) {
  return useInfiniteQuery({
    enabled: () => toValue(enabled),
    ...listed(() => ['contacts', 'list', toValue(filter)]),
    queryFn: ({ signal, pageParam }) =>
      call('listContacts', { query: { ...toValue(filter), limit: contactsPerPage, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > livelyPages ? Infinity : 10_000),
    // Comparing up to 100,000 contacts or making them reactive would freeze the page.
    structuralSharing: false,
    shallow: true,
  });
}

export function useContact(address: MaybeRefOrGetter<ContactAddress>) {
  return useQuery({
    queryKey: computed(() => ['contacts', 'one', toValue(address)]),
    queryFn: ({ signal }) => call('getContact', { params: { ...toValue(address) }, signal }),
  });
}

/** Erases a person; after that nothing about them is shown any more. */
export function useErasure(address: MaybeRefOrGetter<ContactAddress>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => call('eraseContact', { params: { ...toValue(address) }, body: { reason } }),
    // Also if it failed: a part may be gone.
    onSettled: () => client.invalidateQueries({ refetchType: 'none' }),
  });
}

export function useContactTags(address: MaybeRefOrGetter<ContactAddress>) {
  return useQuery({
    queryKey: computed(() => ['contacts', 'one', toValue(address), 'tags']),
    queryFn: ({ signal }) =>
      call('listContactTags', { params: { ...toValue(address) }, query: { limit: 200 }, signal }),
  });
}

export type TimelineFilter = (typeof timelineFilters)[number];

/** Messages to a contact and the contact's activity, newest first, page by page; all or one kind. */
export function useTimeline(
  address: MaybeRefOrGetter<ContactAddress>,
  kind: MaybeRefOrGetter<TimelineFilter | undefined>,
  limit: number,
) {
  return useInfiniteQuery({
    queryKey: computed(() => ['contacts', 'one', toValue(address), 'timeline', toValue(kind)]),
    queryFn: ({ signal, pageParam }) =>
      call('getContactTimeline', {
        params: { ...toValue(address) },
        query: { kind: toValue(kind), limit, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

async function readServiceNumbers(signal: AbortSignal): Promise<ServiceNumber[]> {
  const all: ServiceNumber[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await call('listServiceNumbers', { query: { limit: 200, cursor }, signal });
    all.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return all;
}

export const serviceNumbersQuery = queryOptions({
  queryKey: ['service-numbers'],
  queryFn: ({ signal }) => readServiceNumbers(signal),
  staleTime: 300_000,
});

/** Every service number of the tenant. */
export function useServiceNumbers() {
  const { canRead } = useMe();
  return useQuery({ ...serviceNumbersQuery, enabled: canRead });
}

/** How many contacts of each service number follow, and how many have unsubscribed. */
export function useContactCounts() {
  return useQuery({
    queryKey: ['service-numbers', 'counts'],
    queryFn: async ({ signal }) => (await call('countContacts', { signal })).items,
    refetchInterval: 60_000,
  });
}
