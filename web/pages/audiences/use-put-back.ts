import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { call } from '#web/api/index.ts';
import { useForgetAudiences } from '#web/api/queries/audiences.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';

/** Puts back the list that the last file replaced; done again, it puts back that file's. */
export function usePutBack() {
  const { t } = useI18n();
  const report = useProblemToast();
  const forget = useForgetAudiences();
  return useMutation({
    mutationFn: async ({ audienceId, etag }: SavedAudience) => {
      await call('restoreAudienceContacts', { params: { audienceId }, headers: { 'if-match': etag } });
      await forget();
    },
    onError: (error) => report(t('audiences.failed.putBack'), error),
  });
}
