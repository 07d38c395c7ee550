import { useI18n } from 'vue-i18n';
import { ApiProblem } from '../api/problem.ts';
import { addToast } from './toasts.ts';

/** Tells of a failed action. It stays until dismissed, and the request id can be copied. */
export function useProblemToast(): (title: string, error: unknown) => void {
  const { t } = useI18n();
  return (title, error) => {
    const problem = error instanceof ApiProblem ? error : null;
    const requestId = problem?.requestId;
    const said = [problem?.detail, ...(problem?.errors ?? []).map(({ message }) => message)].filter(Boolean).join(' ');
    addToast({
      kind: 'error',
      title,
      lines: [said || t(`problem.${problem?.code ?? 'defect'}.title`), ...(requestId ? [requestId] : [])],
      ...(requestId && {
        action: { label: t('problem.copyRequestId'), run: () => void navigator.clipboard.writeText(requestId) },
      }),
    });
    // A defect is ours: it must not vanish into a toast.
    if (!problem) reportError(error);
  };
}
