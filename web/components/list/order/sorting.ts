import { computed } from 'vue';
import { useAddressQuery } from '#web/composables/use-address-query.ts';

/** The order of a list, kept in the address; names as in the API, with `-` for the other direction. */
export interface Sorting<Sort extends string = string> {
  /** Undefined in the usual order. */
  readonly asked: Sort | undefined;
  /** As `aria-sort` has it. */
  directionOf: (sort: string) => 'ascending' | 'descending' | 'none';
  /** Orders by this, then the other way round, then as usual. */
  turn: (sort: string) => void;
  choose: (sort: string | undefined) => void;
}

const reversed = (sort: string) => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`);

export function useSorting<Sort extends string>(sorts: readonly Sort[], usual?: Sort): Sorting<Sort> {
  const query = useAddressQuery('sort');
  const asked = computed(() => sorts.find((sort) => sort === query.value && sort !== usual));
  const current = computed<string | undefined>(() => asked.value ?? usual);
  return {
    get asked() {
      return asked.value;
    },
    directionOf(sort) {
      if (current.value !== sort && current.value !== reversed(sort)) return 'none';
      return current.value.startsWith('-') ? 'descending' : 'ascending';
    },
    turn(sort) {
      if (current.value === sort) query.value = reversed(sort);
      else query.value = current.value === reversed(sort) ? undefined : sort;
    },
    choose: (sort) => (query.value = sort),
  };
}
