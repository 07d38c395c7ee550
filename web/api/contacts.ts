import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { ServiceNumber } from '../../domain/api/contacts.ts';
import { call } from './index.ts';
import { useMe } from './integration.ts';

export interface ContactFilter {
  serviceNumberId?: string | undefined;
  q?: string | undefined;
  tagId?: string | undefined;
  cursor?: string | undefined;
}

interface ContactAddress {
  snId: string;
  contactId: string;
}

export function useContacts(filter: MaybeRefOrGetter<ContactFilter>) {
  return useQuery({
    queryKey: computed(() => ['contacts', 'list', toValue(filter)]),
    queryFn: ({ signal }) => call('listContacts', { query: { ...toValue(filter), limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useContact(address: MaybeRefOrGetter<ContactAddress>) {
  return useQuery({
    queryKey: computed(() => ['contacts', 'one', toValue(address)]),
    queryFn: ({ signal }) => call('getContact', { params: { ...toValue(address) }, signal }),
  });
}

export function useContactTags(address: MaybeRefOrGetter<ContactAddress>) {
  return useQuery({
    queryKey: computed(() => ['contacts', 'one', toValue(address), 'tags']),
    queryFn: ({ signal }) =>
      call('listContactTags', { params: { ...toValue(address) }, query: { limit: 200 }, signal }),
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

/** Every service number of the tenant. */
export function useServiceNumbers() {
  const { canRead } = useMe();
  return useQuery({
    queryKey: ['service-numbers'],
    queryFn: ({ signal }) => readServiceNumbers(signal),
    enabled: canRead,
    staleTime: 300_000,
  });
}
