import { computed } from 'vue';

type Key = readonly unknown[];

/** What a filter says about whose rows they are, not about which of them. */
const owners = new Set(['serviceNumberId', 'tenantId', 'userId']);

/** The same for all pages, orders and filters of one list. */
function scopeOf(key: Key): string {
  const parts = key.map((part) =>
    typeof part === 'object' && part !== null
      ? Object.entries(part).filter(([name, value]) => owners.has(name) && value !== undefined)
      : part,
  );
  return JSON.stringify(parts);
}

/**
 * The key of a query for one page of a list, of which the page before is shown until it is there; never the rows of another
 * object, tenant or service number.
 * @param key what tells one page from another stands in an object
 */
export function listed(key: () => Key) {
  return {
    queryKey: computed(key),
    placeholderData: <Rows>(before: Rows | undefined, query?: { queryKey: Key }): Rows | undefined =>
      query && scopeOf(query.queryKey) === scopeOf(key()) ? before : undefined,
  };
}
