import { useQuery } from '@tanstack/vue-query';
import { call } from '../index.ts';
import { useMe } from './integration.ts';

/** For how many days what is kept: a setting of the server. */
export function useRetention() {
  const { canRead } = useMe();
  return useQuery({
    enabled: canRead,
    queryKey: ['retention'],
    queryFn: ({ signal }) => call('getRetention', { signal }),
    staleTime: Infinity,
  });
}
