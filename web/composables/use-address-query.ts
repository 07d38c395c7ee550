import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** One filter that lives in the address; a change goes back to the first page. */
export function useAddressQuery(name: string): WritableComputedRef<string | undefined> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => {
      const value = route.query[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
    set: (value) => {
      const { cursor: _, ...query } = route.query;
      void router.replace({ query: { ...query, [name]: value === '' ? undefined : value } });
    },
  });
}
