import { computed } from 'vue';
import { useRouter, type RouteLocationRaw, type RouteMeta } from 'vue-router';
import { useMe } from '../api/queries/integration.ts';
import { navigation } from '../frame/navigation/navigation.ts';

/** What this person may open in the console: everything, only the orders, or nothing. */
export function useReach() {
  const router = useRouter();
  const { canRead, isOrderAdministrator } = useMe();
  const reach = computed(() => {
    if (canRead.value) return 'all';
    return isOrderAdministrator.value ? 'orders' : 'nothing';
  });
  function isOpen({ orders, sales }: RouteMeta): boolean {
    if (sales) return isOrderAdministrator.value;
    return reach.value === 'all' || (reach.value === 'orders' && !!orders);
  }
  const leadsToOpen = ({ to }: { to: RouteLocationRaw }): boolean => isOpen(router.resolve(to).meta);
  return {
    reach,
    isOpen,
    /** The navigation without the pages this person may not open. */
    pages: computed(() =>
      navigation
        .map((group) => ({ ...group, pages: group.pages.filter(leadsToOpen) }))
        .filter(({ pages }) => pages.length > 0),
    ),
  };
}
