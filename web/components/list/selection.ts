import { computed, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import type { CsvColumns } from '#domain/csv.ts';

/** The rows of a list that are selected; what is not listed any more is not selected either. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  /** How many there are to select. */
  readonly listed: number;
  has: (row: Row) => boolean;
  /** By which assistive technology tells the checkboxes apart. */
  nameOf: (row: Row) => string;
  toggle: (row: Row) => void;
  selectAll: () => void;
  clear: () => void;
  /** The file that the selected rows can be saved as. */
  file?: { name: string; columns: CsvColumns<Row> } | undefined;
}

interface Selectable<Row> {
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  file?: Selection<Row>['file'];
}

export function useSelection<Row>(
  listed: MaybeRefOrGetter<readonly Row[]>,
  { keyOf, nameOf, file }: Selectable<Row>,
): Selection<Row> {
  const keys = shallowRef<ReadonlySet<string>>(new Set());
  const rows = computed(() =>
    keys.value.size === 0 ? [] : toValue(listed).filter((row) => keys.value.has(keyOf(row))),
  );
  return {
    get rows() {
      return rows.value;
    },
    get listed() {
      return toValue(listed).length;
    },
    has: (row) => keys.value.has(keyOf(row)),
    nameOf,
    toggle(row) {
      const next = new Set(keys.value);
      if (!next.delete(keyOf(row))) next.add(keyOf(row));
      keys.value = next;
    },
    selectAll: () => (keys.value = new Set(toValue(listed).map(keyOf))),
    clear: () => (keys.value = new Set()),
    file,
  };
}
