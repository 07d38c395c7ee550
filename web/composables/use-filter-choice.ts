import { computed, type WritableComputedRef } from 'vue';
import { useAddressQuery } from './use-address-query.ts';

/** A filter of the address that has one of some names; any other counts as none. */
export function useKnownQuery<Name extends string>(
  name: string,
  known: readonly Name[],
): WritableComputedRef<Name | undefined> {
  const query = useAddressQuery(name);
  return computed({
    get: () => known.find((one) => one === query.value),
    set: (chosen) => (query.value = chosen),
  });
}

const any = 'any';

/** A filter as a list to choose from, whose first item stands for no filter. */
export function useFilterChoice<Value extends string>(
  filter: WritableComputedRef<Value | undefined>,
  anyLabel: () => string,
  options: () => readonly { value: Value; label: string }[],
) {
  const items = computed<{ value: string; label: string }[]>(() => [{ value: any, label: anyLabel() }, ...options()]);
  const choice = computed<string>({
    get: () => filter.value ?? any,
    set: (chosen) => (filter.value = options().find(({ value }) => value === chosen)?.value),
  });
  const label = computed(() => items.value.find(({ value }) => value === choice.value)?.label ?? '');
  return { items, choice, label };
}
