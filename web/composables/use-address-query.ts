import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Changes several filters in the address at once; the list starts over at its first page. */
export function useAddressChange(): (filters: Record<string, string | undefined>) => void {
  const route = useRoute();
  const router = useRouter();
  return (filters) => {
    const { cursor: _, ...query } = route.query;
    void router.replace({ query: { ...query, ...filters } });
  };
}

/** One filter that lives in the address; an empty one counts as none, and a change goes back to the first page. */
export function useAddressQuery(name: string): WritableComputedRef<string | undefined> {
  const route = useRoute();
  const change = useAddressChange();
  return computed({
    get: () => {
      const value = route.query[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
    set: (value) => change({ [name]: value === '' ? undefined : value }),
  });
}
