import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import { type LocationQueryRaw, useRoute } from 'vue-router';

/** Filters of a list under a name, kept in this browser. */
export interface SavedFilter {
  name: string;
  query: Record<string, string>;
}

const MOST_PER_LIST = 20;
const kept = useLocalStorage<Record<string, SavedFilter[]>>('outreach.filters', {});

/** Where somebody is in a list, and whose: neither is a filter. */
const notFilters = new Set(['cursor', 'sn']);

/** The saved filters of the list at the current address. */
export function useSavedFilters() {
  const route = useRoute();
  const list = computed(() => String(route.name ?? ''));
  const current = computed(() =>
    Object.fromEntries(
      Object.entries(route.query).flatMap(([name, value]) =>
        typeof value === 'string' && !notFilters.has(name) ? [[name, value]] : [],
      ),
    ),
  );
  const saved = computed(() => kept.value[list.value] ?? []);
  const keep = (filters: SavedFilter[]) => (kept.value = { ...kept.value, [list.value]: filters });
  const without = (name: string) => saved.value.filter((one) => one.name !== name);

  return {
    saved,
    /** The filters in the address; without any there is nothing to save. */
    current,
    /** Replaces what has the same name; the oldest goes where there are too many. */
    save: (name: string) => keep([...without(name), { name, query: current.value }].slice(-MOST_PER_LIST)),
    remove: (name: string) => keep(without(name)),
    /** The address of the list with these filters. */
    addressOf: ({ query }: SavedFilter): { query: LocationQueryRaw } => ({
      query: { sn: route.query['sn'], ...query },
    }),
  };
}
