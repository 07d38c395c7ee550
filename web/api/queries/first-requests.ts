import type { QueryClient } from '@tanstack/vue-query';
import { serviceNumbersQuery } from './contacts.ts';
import { integrationQuery, meQuery, readingRoles } from './integration.ts';

/**
 * Requests what every page of `/app` begins with, while its scripts are still being evaluated. Whoever needs it later says
 * what failed.
 */
export async function requestFirst(client: QueryClient): Promise<void> {
  const me = await client.fetchQuery(meQuery).catch(() => null);
  if (!me?.roles.some((role) => readingRoles.includes(role))) return;
  await Promise.all([client.prefetchQuery(integrationQuery), client.prefetchQuery(serviceNumbersQuery)]);
}
