import { queryOptions, useQuery } from '@tanstack/vue-query';
import { computed } from 'vue';
import { call } from '../index.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('getMe', { signal }),
  staleTime: 300_000,
});

export const integrationQuery = queryOptions({
  queryKey: ['integration'],
  queryFn: ({ signal }) => call('getIntegration', { signal }),
  staleTime: 30_000,
});

/** The roles of which any lets somebody see campaigns and contacts; an order administrator may have none. */
export const readingRoles = ['tenant_admin', 'marketing_operator', 'viewer'];

/** Who is signed in, and what this user may do. */
export function useMe() {
  const query = useQuery(meQuery);
  const may = (...roles: string[]) =>
    computed(() => query.data.value?.roles.some((role) => roles.includes(role)) ?? false);
  return {
    ...query,
    canRead: may(...readingRoles),
    canWrite: may('tenant_admin', 'marketing_operator'),
    isAdministrator: may('tenant_admin'),
    isOrderAdministrator: may('order_admin'),
  };
}

export function useIntegration() {
  const { canRead } = useMe();
  return useQuery({
    ...integrationQuery,
    enabled: canRead,
    refetchInterval: 60_000,
  });
}
