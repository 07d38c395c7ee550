import { computed, reactive, type ComputedRef, type WritableComputedRef } from 'vue';
import { useAddressQuery } from './use-address-query.ts';
import type { ChosenPeriod } from './use-period.ts';

/** What a filter accepts: one of a list of values, or any text. */
type FilterKind = readonly string[] | 'text';
type ValueOf<Kind> = Kind extends readonly (infer Value extends string)[] ? Value : string;
type Filters<Kinds> = { -readonly [Name in keyof Kinds]: ValueOf<Kinds[Name]> | undefined };

interface Option {
  value: string;
  label: string;
}

/** The texts of a select: its first item, which stands for no filter, and the others. */
type SelectLabels<Value> = { any: () => string } & (
  { labelOf: (value: Value) => string } | { options: () => readonly Option[] }
);

/** The model and the items of a select, and the label of what is selected. */
interface FilterSelect {
  choice: string;
  items: Option[];
  label: string;
}

export interface ListFilters<Kinds> {
  /** The filters by their name in the address. Assigning one changes the address and resets the cursor. */
  filters: Filters<Kinds>;
  cursor: WritableComputedRef<string | undefined>;
  /** Whether the list shows less than everything: ListPage words an empty list accordingly. */
  isFiltered: ComputedRef<boolean>;
  /** A filter as a select. A filter that accepts any text brings its own `options`. */
  select: <Name extends keyof Kinds & string>(name: Name, labels: SelectLabels<ValueOf<Kinds[Name]>>) => FilterSelect;
}

const any = 'any';

/** A filter in the address; a value outside its list counts as none. */
function useFilter(name: string, kind: FilterKind): WritableComputedRef<string | undefined> {
  const query = useAddressQuery(name);
  if (kind === 'text') return query;
  return computed({
    get: () => kind.find((value) => value === query.value),
    set: (value) => (query.value = value),
  });
}

/**
 * The filters of a list page, kept in the address so that a filtered list can be linked to. A `period` that narrows the
 * list counts as a filter as well.
 */
export function useListFilters<const Kinds extends Record<string, FilterKind>>(
  kinds: Kinds,
  period?: ChosenPeriod,
): ListFilters<Kinds> {
  const queries = Object.entries(kinds).map(([name, kind]) => [name, useFilter(name, kind)] as const);
  const filters = reactive<object>(Object.fromEntries(queries)) as Filters<Kinds>;
  const cursor = useAddressQuery('cursor');

  return {
    filters,
    cursor,
    isFiltered: computed(() => Boolean(queries.some(([, { value }]) => value) || period?.days.value || cursor.value)),
    select(name, labels) {
      type Value = ValueOf<Kinds[typeof name]>;
      const options = (): readonly Option[] => {
        if ('options' in labels) return labels.options();
        const values = kinds[name] as readonly Value[];
        return values.map((value) => ({ value, label: labels.labelOf(value) }));
      };
      const items = computed(() => [{ value: any, label: labels.any() }, ...options()]);
      const choice = computed<string>({
        get: () => filters[name] ?? any,
        set: (chosen) => {
          filters[name] = options().find(({ value }) => value === chosen)?.value as Value | undefined;
        },
      });
      const label = computed(() => items.value.find(({ value }) => value === choice.value)?.label ?? '');
      return reactive({ items, choice, label });
    },
  };
}
