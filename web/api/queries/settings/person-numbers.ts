import { useMutation, useQueryClient } from '@tanstack/vue-query';
import { call } from '#web/api/index.ts';

/** Puts the service numbers that a person sees; null: all. */
export function usePersonNumbers(done: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, serviceNumberIds }: { userId: string; serviceNumberIds: string[] | null }) =>
      call('putUserServiceNumbers', { params: { userId }, body: { serviceNumberIds } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['people'] });
      done();
    },
  });
}
