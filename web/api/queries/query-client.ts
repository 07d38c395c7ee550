import { QueryClient } from '@tanstack/vue-query';
import { ApiProblem } from '../http/problem.ts';

const passing = new Set(['network', 'unavailable', 'rate_limited', 'internal']);

/**
 * Reads are retried twice if the error may be temporary, and wait while the connection is lost. Writes are never
 * retried, and fail at once: one that waited would be carried out when nobody expects it any more.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && error instanceof ApiProblem && passing.has(error.code),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
