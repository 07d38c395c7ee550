import { useQuery } from '@tanstack/vue-query';
import { call } from '../index.ts';
import { useMe } from './integration.ts';

/** Retention periods in days, from the server's settings. */
export function useRetention() {
  const { canRead } = useMe();
  return useQuery({
    enabled: canRead,
    queryKey: ['retention'],
    queryFn: ({ signal }) => call('getRetention', { signal }),
    staleTime: Infinity,
  });
}
