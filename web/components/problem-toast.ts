import { useToast } from '@nuxt/ui/composables';
import { useI18n } from 'vue-i18n';
import { ApiProblem } from '../api/problem.ts';

/** Tells of a failed action. It stays until dismissed, and the request id can be copied. */
export function useProblemToast(): (title: string, error: unknown) => void {
  const toast = useToast();
  const { t } = useI18n();
  return (title, error) => {
    const problem = error instanceof ApiProblem ? error : null;
    const requestId = problem?.requestId;
    const said = [problem?.detail, ...(problem?.errors ?? []).map(({ message }) => message)].filter(Boolean).join(' ');
    toast.add({
      title,
      description: [said || t(`problem.${problem?.code ?? 'defect'}.title`), requestId].filter(Boolean).join('\n'),
      color: 'error',
      icon: 'i-lucide-circle-alert',
      duration: 0,
      progress: false,
      ui: { description: 'whitespace-pre-line break-words' },
      actions: requestId
        ? [
            {
              label: t('problem.copyRequestId'),
              color: 'neutral',
              variant: 'outline',
              onClick: () => void navigator.clipboard.writeText(requestId),
            },
          ]
        : [],
    });
    // A defect is ours: it must not vanish into a toast.
    if (!problem) reportError(error);
  };
}
