import { useQuery } from '@tanstack/vue-query';
import { computed } from 'vue';
import { call } from '../index.ts';

/** Who is signed in, and what this user may do. */
export function useMe() {
  const query = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => call('getMe', { signal }),
    staleTime: 300_000,
  });
  const may = (...roles: string[]) =>
    computed(() => query.data.value?.roles.some((role) => roles.includes(role)) ?? false);
  return {
    ...query,
    /** Whether the user has any outreach role; an order administrator may have none. */
    canRead: may('tenant_admin', 'marketing_operator', 'viewer'),
    canWrite: may('tenant_admin', 'marketing_operator'),
    isAdministrator: may('tenant_admin'),
    isOrderAdministrator: may('order_admin'),
  };
}

export function useIntegration() {
  const { canRead } = useMe();
  return useQuery({
    enabled: canRead,
    queryKey: ['integration'],
    queryFn: ({ signal }) => call('getIntegration', { signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}
