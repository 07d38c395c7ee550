import { useI18n } from 'vue-i18n';
import { ApiProblem } from '../api/http/problem.ts';
import { useProblemLabels } from '../components/feedback/use-problem-labels.ts';
import { useToasts } from './use-toasts.ts';

/** Tells of a failed action. It stays until dismissed, and the request id can be copied. */
export function useProblemToast(): (title: string, error: unknown) => void {
  const { t } = useI18n();
  const wordsOf = useProblemLabels();
  const { addToast } = useToasts();
  return (title, error) => {
    const { kind, advice, fields, said, requestId } = wordsOf(error);
    const inEnglish = [said, ...fields.map((field) => field.said)].filter(Boolean).join(' ');
    const lines = [kind, advice, ...fields.map(({ words }) => words), inEnglish, requestId].flatMap(
      (line) => line || [],
    );
    addToast({
      kind: 'error',
      title,
      lines: [...new Set(lines)],
      ...(requestId && {
        action: { label: t('problem.copyRequestId'), run: () => void navigator.clipboard.writeText(requestId) },
      }),
    });
    // A defect is ours: it must not vanish into a toast.
    if (!(error instanceof ApiProblem)) reportError(error);
  };
}
