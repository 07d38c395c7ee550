import { computed } from 'vue';
import { useMe } from '#web/api/queries/integration.ts';
import { useAddressQuery } from '#web/composables/use-address-query.ts';

/**
 * The tenant that a page is about: one of the headquarters' members where the address names it (`?tenantId=`), else the
 * session's own. Null until that is known.
 */
export function useTenant() {
  const { data: me } = useMe();
  const given = useAddressQuery('tenantId');
  return {
    /** The tenant in the address, if any. */
    given,
    tenantId: computed(() => given.value ?? me.value?.tenantId ?? null),
    /** The query of a link to another page about the same tenant. */
    query: computed(() => (given.value ? { tenantId: given.value } : {})),
  };
}
